# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Literal

from .._bodies import Json
from .._http import HttpClient, path_segment
from .models import CreatedToken, RevokedToken, TokensResponse


class AccessApi:
    """The operations of the API that are tagged Access."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list_tokens(
        self,
        *,
        timeout: float | None = None,
    ) -> TokensResponse:
        """List tokens, without their secrets

        `GET /v1/tokens`
        """
        return self._http.json(
            "GET",
            "/v1/tokens",
            TokensResponse.from_json,
            timeout=timeout,
        )

    def create_token(
        self,
        name: str,
        *,
        rights: Literal["read", "sync", "admin"] | None = None,
        paths: list[str] | None = None,
        expires_in_s: int | None = None,
        timeout: float | None = None,
    ) -> CreatedToken:
        """Create a token

        Only this response contains the token, because the server stores only its hash.

        `POST /v1/tokens`

        :param name: Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.
        :param rights: `read` searches and reads. `sync` also syncs registered sources. `admin`
            may use every operation.
        :param paths: Paths or URIs of sources, folders and objects. The token sees only these
            and everything below them. Null: all. A token with the right `admin` sees all.
        :param expires_in_s: Seconds until the token ends. Null: it never ends.
        """
        return self._http.json(
            "POST",
            "/v1/tokens",
            CreatedToken.from_json,
            body=Json({
                "name": name,
                "rights": rights,
                "paths": paths,
                "expires_in_s": expires_in_s,
            }),
            timeout=timeout,
        )

    def rotate_token(
        self,
        name: str,
        *,
        overlap_s: int | None = None,
        timeout: float | None = None,
    ) -> CreatedToken:
        """Replace a token by one with the same rights

        The replaced token stays valid for the overlap. The new one has the same lifetime,
        counted from now.

        `POST /v1/tokens/{name}/rotate`

        :param name: Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.
        :param overlap_s: Seconds for which the replaced token stays valid.
        """
        return self._http.json(
            "POST",
            f"/v1/tokens/{path_segment('name', name)}/rotate",
            CreatedToken.from_json,
            body=Json({"overlap_s": overlap_s}),
            timeout=timeout,
        )

    def revoke_token(
        self,
        name: str,
        *,
        timeout: float | None = None,
    ) -> RevokedToken:
        """Revoke a token and the tokens that it replaced

        Other servers of the same database accept the token for up to two seconds.

        `DELETE /v1/tokens/{name}`

        :param name: Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.
        """
        return self._http.json(
            "DELETE",
            f"/v1/tokens/{path_segment('name', name)}",
            RevokedToken.from_json,
            timeout=timeout,
        )
