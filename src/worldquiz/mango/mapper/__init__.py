"""The map builder: a reader of walkthroughs that is no model."""
