"""What a thing is, told by its noun: common sense, not facts of a world."""

from __future__ import annotations

KEYS = frozenset({"key", "passkey", "latchkey"})
_FOODS = """
apple apricot bacon bagel banana bean berry biscuit bread broccoli bun burger butter cabbage
cake candy carrot cereal cheese cherry chicken chocolate cookie corn cracker cucumber doughnut
egg fig fish garlic grape ham herring honey jam leek lemon lettuce lime loaf mango meat melon
muffin mushroom noodle nut oat olive onion orange pancake pasta peach peanut pear pepper pie
pineapple pizza plum popcorn potato pretzel prune pudding radish raisin rice roll salad salmon
sandwich sausage soup spinach steak stew sugar tart toast tomato tuna turnip waffle walnut yam
"""
FOODS = frozenset(_FOODS.split())


def noun_of(name: str) -> str:
    """Return the noun of a name: its last word, numbers left out ("old book 2" -> "book")."""
    words = [word for word in name.split() if not word.isdigit()]
    return words[-1] if words else name


def category(name: str) -> str:
    """Return ``key``, ``food`` or ``object`` for a thing that can be carried."""
    noun = noun_of(name)
    return "key" if noun in KEYS else "food" if noun in FOODS else "object"
