"""Recipes: plans that are named, kept, and put to other files."""

from controlllm.recipes.making import recipe_of, words_of
from controlllm.recipes.reading import recipe_from, recipe_in
from controlllm.recipes.recipe import Input, Recipe

__all__ = ["Input", "Recipe", "recipe_from", "recipe_in", "recipe_of", "words_of"]
