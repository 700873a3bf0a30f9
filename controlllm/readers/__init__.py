"""The trained reader of requests: `wishes` of meanings, by `wish_networks`."""
