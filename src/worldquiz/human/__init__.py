"""A person in the browser: answers the quiz of any benchmark, and becomes a run like any other.

`quiz` finds out what a run asked; `t2q`, `mango` and `tea` ask the same of a person; `sitting`
keeps answers and times as they come; `server` shows the page; `agreement` compares people.
"""
