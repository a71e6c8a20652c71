"""A person in the browser: answers the quiz of any run, and becomes a run like any other.

`quiz` asks a run's benchmark for its quiz; `rows_sheet` makes one of any run's rows; `sitting`
keeps answers and times as they come; `server` shows the page; `agreement` compares people.
"""
