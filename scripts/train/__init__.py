"""Training of keima's own network: data, model, training, export. README.md says how."""
