"""Signing in at an OpenID provider: the authorization code flow with PKCE (OpenID Connect Core 1.0,
section 3.1; RFC 7636)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from controlllm.accounts.account import Account
from controlllm.accounts.signing_in import PROVIDED
from controlllm.resources.well_formed import well_formed

_SECONDS = 15.0


class NotSignedIn(Exception):
    """The provider did not say who somebody is. The message is a sentence for them."""


@dataclass(frozen=True)
class OpenID:
    """A provider.

    Parameters
    ----------
    issuer: its address, as it calls itself.
    client_id, client_secret: what it knows this server by.
    operators: the verified e-mail addresses, or subjects, of those who run this server.
    callback: the address to which it sends people back: this server's ``/sign-in/back``.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    operators: frozenset[str] = frozenset()
    callback: str = ""

    def begin(self) -> tuple[str, dict[str, str]]:
        """The address to send somebody to, and what has to come back with them.

        Raises NotSignedIn where the provider cannot be reached.
        """
        held = {
            "state": secrets.token_urlsafe(24),
            "nonce": secrets.token_urlsafe(24),
            "verifier": secrets.token_urlsafe(48),
        }
        with self._client() as client:
            address, _ = client.create_authorization_url(
                self._told(client)["authorization_endpoint"],
                state=held["state"],
                nonce=held["nonce"],
                code_verifier=held["verifier"],
            )
        return str(address), held

    def end(self, returned: str, held: dict[str, str]) -> Account:
        """Who came back, from the whole address they came to and what was held for them.

        Raises NotSignedIn.
        """
        import httpx2
        from authlib.common.errors import AuthlibBaseError
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        try:
            with self._client(state=held["state"]) as client:
                told = self._told(client)
                token = client.fetch_token(
                    told["token_endpoint"],
                    authorization_response=returned,
                    code_verifier=held["verifier"],
                )
                published = client.request("GET", told["jwks_uri"], withhold_token=True).json()
                keys = KeySet.import_key_set(published)
            read = jwt.decode(token["id_token"], keys, algorithms=["RS256", "ES256", "PS256"])
            jwt.JWTClaimsRegistry(
                iss={"essential": True, "value": told["issuer"]},
                aud={"essential": True, "value": self.client_id},
                nonce={"essential": True, "value": held["nonce"]},
                exp={"essential": True},
                sub={"essential": True},
            ).validate(read.claims)
        except (
            AuthlibBaseError, JoseError, httpx2.HTTPError, KeyError, TypeError, ValueError,
        ) as error:  # fmt: skip
            raise NotSignedIn(
                "The sign-in did not come to its end. Begin it again; if that does not help, tell "
                "whoever runs this server."
            ) from error
        return self._account(read.claims)

    def _account(self, claims: dict[str, Any]) -> Account:
        subject, mail = str(claims["sub"]), ""
        if claims.get("email_verified") is True:
            mail = str(claims.get("email", "")).lower()
        runs_it = subject in self.operators or (bool(mail) and mail in self.operators)
        shown = well_formed(str(claims.get("name") or mail or subject)[:80])
        return Account(f"{PROVIDED}{subject}", "operator" if runs_it else "visitor", shown)

    def _told(self, client: Any) -> dict[str, Any]:
        """What the provider says of itself (OpenID Connect Discovery 1.0)."""
        import httpx2

        address = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            answer = client.request("GET", address, withhold_token=True)
            answer.raise_for_status()
            told: dict[str, Any] = answer.json()
            if told["issuer"].rstrip("/") != self.issuer.rstrip("/"):
                raise ValueError("it calls itself otherwise")
            return told
        except (httpx2.HTTPError, KeyError, TypeError, ValueError) as error:
            raise NotSignedIn(
                "Where you sign in could not be reached. Try again later, or tell whoever runs "
                "this server."
            ) from error

    def _client(self, **more: Any) -> Any:
        from authlib.integrations.httpx_client import OAuth2Client

        return OAuth2Client(
            self.client_id,
            self.client_secret,
            scope="openid email profile",
            redirect_uri=self.callback,
            code_challenge_method="S256",
            timeout=_SECONDS,
            **more,
        )
