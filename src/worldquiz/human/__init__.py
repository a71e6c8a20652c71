"""Human quiz in the browser: a person's answers become a run like any other."""
