"""A person in the browser: answers the quiz of any run, and becomes a run like any other.

`quiz` asks a run's benchmark for its quiz, or makes one of the run's rows; `sitting`
keeps answers and times as they come; `server` shows the page; `agreement` compares people.
"""
