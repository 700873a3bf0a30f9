"""An OpenID provider on loopback that signs in whoever it is told to."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "controlllm-test", "its secret"


class Provider(ThreadingHTTPServer):
    """`claims` is what it says of somebody, over the usual; `key` is what it signs with."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.key = _key()
        self.signs_with = self.key
        self.claims: dict[str, object] = {}
        self.codes: dict[str, dict[str, str]] = {}

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@functools.cache
def _key() -> RSAKey:
    """The key of all of them: making one takes longer than a sign-in."""
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: value[0] for name, value in parse_qs(parts.query).items()}
        issuer = self.server.issuer
        if parts.path == "/.well-known/openid-configuration":
            self._say(
                {
                    "issuer": issuer,
                    "authorization_endpoint": f"{issuer}/authorize",
                    "token_endpoint": f"{issuer}/token",
                    "jwks_uri": f"{issuer}/keys",
                }
            )
        elif parts.path == "/keys":
            self._say({"keys": [self.server.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            code = hashlib.sha256(asked["state"].encode()).hexdigest()[:20]
            self.server.codes[code] = asked
            self.send_response(302)
            to = f"{asked['redirect_uri']}?code={code}&state={asked['state']}"
            self.send_header("location", to)
            self.send_header("content-length", "0")
            self.end_headers()
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        sent = {k: v[0] for k, v in parse_qs(self.rfile.read(length).decode()).items()}
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        asked = self.server.codes.pop(sent.get("code", ""), None)
        verifier = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if (
            asked is None
            or self.headers.get("authorization")
            != f"Basic {basic}".replace(
                basic, base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '%20')}".encode()).decode()
            )
            and self.headers.get("authorization") != f"Basic {basic}"
            or challenge != asked["code_challenge"]
        ):
            self._say({"error": "invalid_grant"}, 400)
            return
        now = int(time.time())
        claims = {
            "iss": self.server.issuer,
            "aud": CLIENT,
            "sub": "person-7",
            "exp": now + 300,
            "iat": now,
            "nonce": asked["nonce"],
            "name": "Ada Lovelace",
            "email": "ada@example.org",
            "email_verified": True,
            **self.server.claims,
        }
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.server.signs_with)
        self._say({"access_token": "a", "token_type": "Bearer", "id_token": token})

    def _say(self, content: object, status: int = 200) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def provided():
    server = Provider()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
