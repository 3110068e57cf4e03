"""What the programs in scripts/ share; run `scripts/check.sh` for its tests."""
