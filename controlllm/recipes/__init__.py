"""Recipes: plans that are named, kept, and put to other files."""

from controlllm.recipes.making import recipe_of, words_of
from controlllm.recipes.recipe import Input, Recipe, recipe_from, recipe_in

__all__ = ["Input", "Recipe", "recipe_from", "recipe_in", "recipe_of", "words_of"]
