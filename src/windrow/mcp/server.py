"""The server: its tools, truthful hints about them, and errors as sentences; over standard input and output or HTTP."""

import functools
import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, InputRequiredResult, Tool, ToolAnnotations
from pydantic import ValidationError

from windrow.errors import WindrowError
from windrow.mcp.page_tools import PageTools
from windrow.mcp.store_tools import StoreTools
from windrow.mcp.workplace import Workplace

logger = logging.getLogger(__name__)

INSTRUCTIONS = (
    "Windrow reads web pages as a person sees them, and keeps records that it harvested. Every value comes with the "
    "address of its page and its XPath: cite them, and claim nothing that no value says. Long answers end with `next`: "
    "give it as `after` for more."
)


class Server(MCPServer[Any]):
    """A server whose tools refuse arguments that they do not have: one that was misspelt would silently do nothing."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool, unless it has no such arguments."""
        tool = next((each for each in await self.list_tools() if each.name == name), None)
        known = arguments if tool is None else tool.input_schema.get("properties", {})
        if unknown := [each for each in arguments if each not in known]:
            raise ToolError(f"{name} has no argument {unknown[0][:80]!r}. It has: {', '.join(known) or 'none'}.")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            is_ours = isinstance(error, UnexpectedToolError)  # raised within the tool, however it is called
            if isinstance(error.__cause__, ValidationError) and not is_ours:
                raise ToolError(misunderstood(name, error.__cause__)) from None
            raise

    async def list_tools(self) -> list[Tool]:
        """List the tools; their schemas say that there are no other arguments."""
        return [
            each.model_copy(update={"input_schema": {**each.input_schema, "additionalProperties": False}})
            for each in await super().list_tools()
        ]


def misunderstood(name: str, error: ValidationError) -> str:
    """Say which arguments of a tool are not what they should be, and why."""
    wrong = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}." for each in error.errors(include_url=False)[:5])
    return f"The arguments of {name} are not understood. {' '.join(wrong)}"


def make_server(workplace: Workplace) -> Server:
    """Return the server with all tools."""
    root, quiet = logging.getLogger(), logging.NullHandler()
    root.addHandler(quiet)  # the library would set logging up for the whole process, were there no handler
    try:
        server = Server(
            "windrow", title="Windrow", instructions=INSTRUCTIONS, version=version("windrow"), subscriptions=False
        )
    finally:
        root.removeHandler(quiet)
    pages, stored = PageTools(workplace), StoreTools(workplace)
    reading: list[Callable[..., Any]] = [pages.read_page, pages.find_tables, pages.find_records, pages.find_toplist]
    querying: list[Callable[..., Any]] = [stored.list_sources, stored.query_records, stored.open_warnings]
    for tool in (*reading, pages.extract):
        _add(server, tool, ToolAnnotations(read_only_hint=True, open_world_hint=True))
    # What is learned is held in memory, and nothing else of it stays.
    holding = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
    _add(server, pages.learn, holding)
    for tool in querying:
        _add(server, tool, ToolAnnotations(read_only_hint=True, open_world_hint=False))
    return server


def _add(server: MCPServer[Any], tool: Callable[..., Any], hints: ToolAnnotations) -> None:
    @functools.wraps(tool)
    def told(*given: object, **named: object) -> object:
        try:
            return tool(*given, **named)
        except WindrowError as error:
            if error.public != str(error):
                logger.warning("%s", error)
            raise ToolError(error.public) from None

    server.add_tool(told, title=tool.__name__.replace("_", " ").capitalize(), annotations=hints)


def make_http(server: MCPServer[Any]) -> StreamableHTTPSessionManager:
    """Return what answers requests over HTTP, each by itself; the gate has looked at host and origin before."""
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    server.streamable_http_app(json_response=True, stateless_http=True, transport_security=security)
    return server.session_manager
