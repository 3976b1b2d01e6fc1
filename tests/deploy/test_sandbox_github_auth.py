"""Who gets in: the App's JWT, installation tokens, people, and OAuth's web flow."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import github as pygithub
import jwt
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from deploy.sandbox.github import SandboxGitHub
from deploy.sandbox.github.model import Role
from tests.deploy.conftest import Acme


def as_app(github: SandboxGitHub, method: str, path: str, **claims: Any) -> requests.Response:
    now = int(time.time())
    key = claims.pop("key", github.private_key_pem)
    token = jwt.encode(
        {"iss": str(github.app_id), "iat": now - 60, "exp": now + 300, **claims}, key, "RS256"
    )
    return requests.request(
        method, f"{github.api_url}{path}", timeout=10, headers={"Authorization": f"Bearer {token}"}
    )


def test_pygithub_finds_the_app_its_installations_and_a_token(acme: Acme) -> None:
    integration = pygithub.GithubIntegration(
        auth=pygithub.Auth.AppAuth(acme.github.app_id, acme.github.private_key_pem),
        base_url=acme.github.api_url,
    )
    assert integration.get_app().slug == acme.github.app_slug == "precedent"
    assert [i.id for i in integration.get_installations()] == [acme.installation.id]
    token = integration.get_access_token(acme.installation.id)
    assert token.permissions["pull_requests"] == "write"
    assert 3_500 < token.expires_at.timestamp() - time.time() <= 3_600
    found = integration.get_repo_installation("acme", "api")
    assert found.id == acme.installation.id
    integration.close()


def test_the_client_id_is_an_issuer_too(acme: Acme) -> None:
    assert as_app(acme.github, "GET", "/app", iss=acme.github.client_id).status_code == 200


def test_a_wrong_claim_is_refused(acme: Acme) -> None:
    now = int(time.time())
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"iss": "1"}, 404, "Integration not found"),
        ({"exp": now - 1}, 401, "Expiration time"),
        ({"exp": now + 3_600}, 401, "too far in the future"),
        ({"iat": now + 3_600}, 401, "Issued at"),
    ]
    for claims, status, words in wrong:
        answer = as_app(acme.github, "GET", "/app", **claims)
        assert answer.status_code == status
        assert words in answer.json()["message"]


def test_another_key_is_refused(acme: Acme) -> None:
    other = rsa.generate_private_key(public_exponent=65_537, key_size=2_048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    answer = as_app(acme.github, "GET", "/app", key=other)
    assert answer.status_code == 401
    assert "could not be decoded" in answer.json()["message"]


def test_an_installation_token_is_no_jwt_and_a_jwt_is_no_token(acme: Acme) -> None:
    assert acme.call("GET", "/app").status_code == 401
    assert as_app(acme.github, "GET", acme.pull_path).status_code == 401
    assert requests.get(f"{acme.github.api_url}/user", timeout=10).status_code == 401
    assert acme.call("GET", acme.pull_path, token="ghs_" + "0" * 36).status_code == 401


def test_a_token_expires_after_an_hour(acme: Acme) -> None:
    token = acme.token()
    assert acme.call("GET", acme.pull_path, token=token).status_code == 200
    acme.github.clock = lambda: time.time() + 3_601
    assert acme.call("GET", acme.pull_path, token=token).status_code == 401


def test_a_token_may_be_narrowed_to_repositories_and_permissions(acme: Acme) -> None:
    other = acme.github.add_repository("acme", "web")
    acme.github.change_installation(acme.installation, "maria", add=[other])
    token = acme.token(repository_ids=[other.id], permissions={"contents": "read"})
    assert acme.call("GET", f"/repositories/{other.id}", token=token).status_code == 200
    assert acme.call("GET", acme.pull_path, token=token).status_code == 404
    listed = acme.call("GET", "/installation/repositories", token=token).json()
    assert [r["id"] for r in listed["repositories"]] == [other.id]
    refused = acme.call("GET", f"/repositories/{other.id}/pulls", token=token)
    assert (refused.status_code, refused.json()["message"]) == (
        403, "Resource not accessible by integration",
    )  # fmt: skip


def test_a_token_cannot_be_widened(acme: Acme) -> None:
    stranger = acme.github.add_repository("eve", "own")
    path = f"{acme.github.api_url}/app/installations/{acme.installation.id}/access_tokens"
    headers = {"Authorization": f"Bearer {acme.github.app_jwt()}"}
    for wish in ({"repository_ids": [stranger.id]}, {"permissions": {"administration": "read"}}):
        assert requests.post(path, json=wish, headers=headers, timeout=10).status_code == 422


def test_repositories_outside_the_installation_do_not_exist(acme: Acme) -> None:
    public = acme.github.add_repository("eve", "own", private=False)
    assert acme.call("GET", f"/repositories/{public.id}").status_code == 404
    assert acme.call("GET", "/repos/eve/own").status_code == 404


def test_a_suspended_installation_gets_no_token_and_its_tokens_stop(acme: Acme) -> None:
    token = acme.token()
    acme.github.suspend(acme.installation, "maria")
    answer = as_app(acme.github, "POST", f"/app/installations/{acme.installation.id}/access_tokens")
    assert answer.status_code == 403
    assert "suspended" in answer.json()["message"]
    assert acme.call("GET", acme.pull_path, token=token).status_code == 403
    acme.github.unsuspend(acme.installation, "maria")
    assert acme.call("GET", acme.pull_path, token=token).status_code == 200


def oauth(acme: Acme, **query: str) -> dict[str, list[str]]:
    answer = requests.get(
        f"{acme.github.base_url}/login/oauth/authorize", allow_redirects=False, timeout=10,
        params={"client_id": acme.github.client_id, "redirect_uri": "http://127.0.0.1:1/back?x=1",
                "state": "s t", **query},
    )  # fmt: skip
    assert answer.status_code == 302
    return parse_qs(urlsplit(answer.headers["Location"]).query)


def exchange(acme: Acme, code: str, **form: str) -> dict[str, Any]:
    answer = requests.post(
        f"{acme.github.base_url}/login/oauth/access_token", timeout=10,
        headers={"Accept": "application/json"},
        data={"client_id": acme.github.client_id, "client_secret": acme.github.client_secret,
              "code": code, **form},
    )  # fmt: skip
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def test_the_web_flow_ends_in_a_token_of_the_chosen_person(acme: Acme) -> None:
    back = oauth(acme, login="eve")
    assert back["state"] == ["s t"]
    assert back["x"] == ["1"]
    granted = exchange(acme, back["code"][0])
    me = acme.call("GET", "/user", token=granted["access_token"]).json()
    assert (me["login"], me["id"]) == ("eve", acme.eve.id)
    assert exchange(acme, back["code"][0]) == {"error": "bad_verification_code"}
    again = exchange(acme, "", grant_type="refresh_token", refresh_token=granted["refresh_token"])
    assert again["access_token"] != granted["access_token"]


def test_the_web_flow_without_a_person_is_denied_and_a_wrong_secret_is_told(acme: Acme) -> None:
    assert oauth(acme)["error"] == ["access_denied"]
    code = oauth(acme, login="tom")["code"][0]
    assert exchange(acme, code, client_secret="wrong")["error"] == "incorrect_client_credentials"


def test_proof_of_the_code_challenge_is_asked_for(acme: Acme) -> None:
    # The pair is the example of RFC 7636, appendix B.
    challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    code = oauth(acme, login="tom", code_challenge=challenge)["code"][0]
    assert exchange(acme, code, code_verifier="other")["error"] == "bad_verification_code"
    code = oauth(acme, login="tom", code_challenge=challenge)["code"][0]
    assert "access_token" in exchange(acme, code, code_verifier=verifier)


def test_permission_of_a_collaborator(acme: Acme) -> None:
    def told(login: str) -> tuple[str, str]:
        path = f"/repositories/{acme.repository.id}/collaborators/{login}/permission"
        body = acme.call("GET", path).json()
        return body["role_name"], body["permission"]

    assert told("maria") == ("admin", "admin")
    assert told("TOM") == ("write", "write")
    assert told("eve") == ("", "none")
    # The old field knows neither maintain nor triage.
    roles: list[tuple[Role, str]] = [("maintain", "write"), ("triage", "read"), ("read", "read")]
    for role, permission in roles:
        acme.github.set_role(acme.repository, "eve", role)
        assert told("eve") == (role, permission)


def test_membership_of_an_organisation(acme: Acme) -> None:
    body = acme.call("GET", "/orgs/acme/memberships/maria").json()
    assert (body["role"], body["state"]) == ("admin", "active")
    assert acme.call("GET", "/orgs/acme/memberships/tom").json()["role"] == "member"
    assert acme.call("GET", "/orgs/acme/memberships/eve").status_code == 404


def test_people_see_what_their_role_allows(acme: Acme) -> None:
    tom, eve = (acme.github.user_token(who).value for who in ("tom", "eve"))
    assert acme.call("GET", acme.pull_path, token=tom).status_code == 200
    assert acme.call("GET", acme.pull_path, token=eve).status_code == 404
    path = f"/repositories/{acme.repository.id}/check-runs"
    body = {"name": "x", "head_sha": acme.pull.head_sha}
    assert acme.call("POST", path, token=tom, json=body).status_code == 403


def test_people_are_found_by_login_and_by_id(acme: Acme) -> None:
    assert acme.call("GET", "/users/Tom").json()["id"] == acme.tom.id
    assert acme.call("GET", f"/user/{acme.tom.id}").json()["login"] == "tom"
    assert acme.call("GET", "/users/nobody").status_code == 404
