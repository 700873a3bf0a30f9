"""Things looked up or reckoned: weather, places, times, dates, numbers, films, Wikipedia."""
