"""The version of this library: workers of a pool or a cluster must have the same."""

VERSION = "0.1.0"
