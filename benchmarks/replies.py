"""How long the worst of many random replies takes to be read and graded.

    uv run python benchmarks/replies.py --replies 100000

Replies are random: characters of every kind (halves of characters too), fragments of JSON and of
the grammar's own words, one fragment repeated to 20,000 characters, brackets nested deep. Each is
read as a model's reply and as a command, and graded against one question of each format. Reading
must never raise; the script prints the worst CPU time and the start of the reply that took it.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from worldquiz.facts.grade import grade, status
from worldquiz.facts.question import Description, Question, Type, What, Where, Which, YesNo
from worldquiz.facts.requirement import All
from worldquiz.llm.json_replies import LONGEST, read_answer, read_text

NOW = All(())
QUESTIONS: tuple[Question, ...] = (
    YesNo("q", Type.PROPERTY, "Was the red chest locked at the start?", True, NOW, ("red chest",)),
    Which("q", Type.MATCH, "Which key fits it?", ("brass key", "tin key"), "tin key", NOW, ()),
    Where("q", Type.LOCATION, "Where was the lamp?", ("red chest", "attic"), NOW, ("lamp",)),
    What("q", Type.DIRECTION, "Which way leads from the attic to the hall?", ("east",), NOW,
         ("attic", "hall")),
    Description("q", Type.LOCATION, "What was on the stand?", ("key",), NOW, ("stand",)),
)  # fmt: skip
FRAGMENTS = (
    '{"', '{"answer": "', '"answer":', "{", "[", "}", "]", '"', "'", "\\", "\\u", "\\ud800", ",",
    ":", " ", "\n", "<think>", "</think>", "```json", "“", "’", "- ", "1. ", "the ", "answer is ",
    "the answer: ", "so ", "yes", "no ", "no, ", "north", "n. ", "i think ", "the context ",
    "not ", "unknown ", "based on the ", "red chest ", "tin key", "in the ", "or ", "because ",
    "I'm sorry, ", "cannot ", "key, ", "(", ")", ".", "\ud800", "\U0001f511", "\u0301", "９" * 30,
    "when the game began", ", initially", "given ", "it was ", "of the ", "a", "*", "_", "?",
)  # fmt: skip


def reply(rng: random.Random) -> str:
    """Return a random reply of up to `LONGEST` characters; 3 % are as long as that."""
    size = LONGEST if rng.random() < 0.03 else rng.choice((10, 100, 1000))
    match rng.randrange(4):
        case 0:
            return "".join(chr(rng.randrange(0x11000)) for _ in range(min(size, 1000)))
        case 1:
            unit = "".join(rng.choices(FRAGMENTS, k=rng.randint(1, 4)))
            return (unit * (size // len(unit) + 1))[:size]
        case 2:
            head = "".join(rng.choices(FRAGMENTS, k=3))
            unit = rng.choice(FRAGMENTS)
            return (head + unit * (size // len(unit) + 1))[:size]
        case _:
            return "".join(rng.choices(FRAGMENTS, k=size // 4))[:size]


def read(text: str) -> Counter[str]:
    """Read and grade a reply in every way; return how it came out."""
    answer, form = read_answer(text)
    read_text(text, "command")
    for question in QUESTIONS:
        grade(question, answerable=True, reply=answer)
        grade(question, answerable=False, reply=text)
    return Counter([str(form), *(str(status(question, answer)) for question in QUESTIONS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng, worst, total, outcomes = random.Random(given.seed), (0.0, ""), 0.0, Counter[str]()
    for _ in range(given.replies):
        text = reply(rng)
        start = time.process_time()
        outcomes += read(text)
        taken = time.process_time() - start
        worst, total = max(worst, (taken, text[:80])), total + taken
    print(f"{given.replies} replies, {total / given.replies * 1e3:.2f} ms each on average")
    print(f"worst: {worst[0] * 1e3:.0f} ms for {worst[1]!r}")
    print(", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))


if __name__ == "__main__":
    main()
