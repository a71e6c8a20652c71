"""All simple paths of a maze: enumerated, labelled, named, stored, sampled."""
