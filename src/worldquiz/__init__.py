"""worldquiz: what does an agent know about its world, as opposed to what can it do in it?"""

__version__ = "0.1.0"
