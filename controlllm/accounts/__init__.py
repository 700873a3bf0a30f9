"""Who somebody is on a shared server: by a password of its own file, or by an OpenID provider.

Off unless it is asked for. A person has a name and a role; what the page lets an operator do and a
visitor not is decided there (`controlllm.ui`).
"""

from controlllm.accounts.account import Account, Role
from controlllm.accounts.signing_in import Keeper, LoginSessions, TooManyTries, Tries
from controlllm.accounts.wanted import Accounts, accounts_from_environment

__all__ = [
    "Account",
    "Accounts",
    "Keeper",
    "LoginSessions",
    "Role",
    "TooManyTries",
    "Tries",
    "accounts_from_environment",
]
