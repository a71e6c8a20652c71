"""How `benchmarks/learn_to_answer.py` asks many questions behind one transcript, and learns.

The network is tiny and random: what holds of it holds of any of its family.
"""

import sys
from pathlib import Path
from typing import Any

import pytest

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.question import Format, Prompt

torch: Any = pytest.importorskip("torch", reason="PyTorch is missing: run `just embedder`")
transformers: Any = pytest.importorskip("transformers")
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import transcript_reader as reader  # noqa: E402

BEFORE = "-= Attic =-\nA lamp is here."
PROMPTS = [
    Prompt("Where was the lamp?", Format.WHERE),
    Prompt("Is the hall south of the attic?", Format.YES_NO),
    Prompt("Which key fits?", Format.WHICH, ("tin key", "zinc key")),
]
REPLIES = ["attic", "unknown", "tin key"]


class Letters:
    """A token a byte."""

    def __call__(self, text: str, **options: object) -> dict[str, list[int]]:
        return {"input_ids": list(text.encode())}

    def decode(self, tokens: list[int], **options: object) -> str:
        return bytes(tokens).decode("latin-1")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> reader.Model:
    monkeypatch.setattr(reader, "tokenizer", Letters)
    monkeypatch.setattr(reader, "ASKED", "Answer.")
    monkeypatch.setattr(reader, "FROZEN", 1)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    shape = transformers.LlamaConfig(
        vocab_size=256, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048,
        initializer_range=0.5,
    )  # fmt: skip
    return reader.Model(transformers.LlamaForCausalLM(shape))


def alone(model: reader.Model, prompt: Prompt, reply: str) -> float:
    """Return how unlikely a reply is behind its own question, by the network's plain use."""
    ask = reader.packed(BEFORE, [prompt], [reply])
    start = ask.ends[0] + 1
    with torch.no_grad():
        said = model.net(torch.tensor([ask.tokens])).logits[0, start - 1 : -1].log_softmax(-1)
    return -sum(float(row[token]) for row, token in zip(said, ask.tokens[start:], strict=True))


def test_the_loss_is_that_of_the_replies_each_asked_alone(model: reader.Model) -> None:
    losses = [alone(model, *each) for each in zip(PROMPTS, REPLIES, strict=True)]

    together = float(model.loss(reader.packed(BEFORE, PROMPTS, REPLIES)).detach())

    assert together == pytest.approx(sum(losses) / 3, rel=0.01)  # layers calculate in 16 bits


def test_no_question_sees_another_and_each_sees_the_transcript(model: reader.Model) -> None:
    def last(before: str, prompts: list[Prompt]) -> Any:
        ask = reader.packed(before, prompts)
        return model._run(ask)[ask.ends[-1]].detach()

    alone = last(BEFORE, PROMPTS[-1:])

    torch.testing.assert_close(last(BEFORE, PROMPTS), alone, atol=0.05, rtol=0.05)
    assert (last(BEFORE.replace("lamp", "sofa"), PROMPTS) - alone).abs().max() > 0.2


def test_replies_are_what_was_learned(model: reader.Model) -> None:
    ask = reader.packed(BEFORE, PROMPTS, REPLIES)
    for group in model.optimizer.param_groups:
        group["weight_decay"] = 0
    frozen = [each.clone() for each in model.net.parameters() if not each.requires_grad]

    for _ in range(50):
        model.step(ask, rate=1e-2)

    said = model.says(reader.packed(BEFORE, PROMPTS))
    end = reader._END[0]
    assert [each.removesuffix(end) for each in said] == REPLIES
    kept = [each for each in model.net.parameters() if not each.requires_grad]
    assert all(map(torch.equal, frozen, kept))


def test_what_was_kept_learns_on_alike(model: reader.Model, tmp_path: Path) -> None:
    ask = reader.packed(BEFORE, PROMPTS, REPLIES)
    model.step(ask)
    with (tmp_path / "kept.pt").open("wb") as file:
        model.write(file)
    model.step(ask)
    after = [each.clone() for each in model.learned]

    model.read(tmp_path / "kept.pt")
    model.step(ask)

    assert all(map(torch.equal, after, model.learned))


def test_a_turn_that_was_shown_before_is_left_out_and_the_room_said() -> None:
    def turn(action: str | None, text: str) -> Turn:
        objective = "Find the lamp.\n\n" if action is None else ""
        return Turn(action, Observation(objective + text, "Nothing.", 0, False, "Find the lamp."))

    start, hall = turn(None, "-= Attic =-\nA way leads south."), "-= Hall =-\nA lamp is here."
    first = (start, turn("go south", hall), turn("take lamp", "You take the lamp."))
    second = (start, turn("go south", hall), turn("go east", "You can't go that way."))

    assert reader.told([first, second, first]).splitlines() == [
        "-= Attic =-", "A way leads south.", "> go south", "-= Hall =-", "A lamp is here.",
        "> take lamp", "You take the lamp.",
        "The game starts over.", "-= Hall =-", "> go east", "You can't go that way.",
    ]  # fmt: skip
