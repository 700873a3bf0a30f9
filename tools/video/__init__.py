"""Videos: cut, sped, described, asked about, made, and put together with sound."""
