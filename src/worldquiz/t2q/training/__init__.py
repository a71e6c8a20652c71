"""Worlds of Task2Quiz to train in: what every trainer's adapter shares, and the adapters.

worlds      worlds by number, made when they are first played; training and tests share none
rewards     what an episode has earned, as sums that any adapter takes differences of
tools       an episode as typed tools, quiz included: what an agent calls
baselines   what agents that learn nothing earn
verifiers, trl, openenv     thin adapters, each an extra of its own; Gymnasium's is `t2q.gym`
"""
