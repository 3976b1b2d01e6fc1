"""Routes below /_sandbox/: what was called, what was sent, and the knobs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from deploy.sandbox.github.faults import Faults
from deploy.sandbox.github.record import Record

if TYPE_CHECKING:
    from deploy.sandbox.github.world import World

FAULT_KEYS = {"times", "phase", "status", "headers", "body", "delay_s"}


def control_routes(world: World, faults: Faults, record: Record) -> Iterable[Route]:
    """GET and DELETE calls, GET contract_errors, GET deliveries, POST and DELETE faults."""

    def calls(request: Request) -> Response:
        if request.method == "DELETE":
            record.clear()
            return Response(status_code=204)
        return JSONResponse(record.to_json())

    def contract_errors(_: Request) -> Response:
        return JSONResponse([asdict(error) for error in record.contract_errors])

    def deliveries(_: Request) -> Response:
        return JSONResponse(
            [
                {
                    "id": d.id, "guid": d.guid, "event": d.event, "action": d.action,
                    "redelivery": d.redelivery, "status": d.status,
                    "status_code": d.status_code, "duration_s": d.duration_s,
                    "payload": d.payload,
                }
                for d in world.hooks.deliveries
            ]
        )  # fmt: skip

    async def change_faults(request: Request) -> Response:
        if request.method == "DELETE":
            faults.clear()
            return Response(status_code=204)
        wish = await request.json()
        unknown = set(wish) - FAULT_KEYS - {"method", "path"}
        if unknown or not {"method", "path"} <= set(wish):
            message = f"A fault has method, path and any of {', '.join(sorted(FAULT_KEYS))}."
            return JSONResponse({"message": message}, 422)
        try:
            faults.add(wish.pop("method"), wish.pop("path"), **wish)
        except ValueError as error:
            return JSONResponse({"message": str(error)}, 422)
        return Response(status_code=201)

    return [
        Route("/_sandbox/calls", calls, methods=["GET", "DELETE"]),
        Route("/_sandbox/contract_errors", contract_errors),
        Route("/_sandbox/deliveries", deliveries),
        Route("/_sandbox/faults", change_faults, methods=["POST", "DELETE"]),
    ]
