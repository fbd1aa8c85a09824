"""Reads the tools of each role from standard input; writes what each converter makes of their input schemas."""

import copy
import json
import sys

from agents.strict_schema import ensure_strict_json_schema
from anthropic import transform_schema
from google.genai._mcp_utils import mcp_to_gemini_tool
from langchain_core.tools import StructuredTool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_google_genai._function_utils import convert_to_genai_function_declarations
from mcp.types import Tool


MODEL = ChatGoogleGenerativeAI(model="gemini-2.5-flash", google_api_key="none")


def google(tool):
    """What a session does that is given to google-genai as a tool."""
    [declared] = mcp_to_gemini_tool(Tool.model_validate(tool)).function_declarations
    return declared.parameters.model_dump(mode="json", by_alias=True, exclude_none=True)


def langchain(tool):
    """As langchain-mcp-adapters makes tools, bound to a model of langchain-google-genai and made ready to be sent."""
    structured = StructuredTool(
        name=tool["name"], description=tool["description"], args_schema=tool["inputSchema"], func=print
    )
    bound = MODEL.bind_tools([structured]).kwargs["tools"]
    [ready] = convert_to_genai_function_declarations(bound)
    [declared] = ready.function_declarations
    return declared.parameters and declared.parameters.model_dump(mode="json", by_alias=True, exclude_none=True)


CONVERTERS = {
    "openai-agents, strict": lambda tool: ensure_strict_json_schema(copy.deepcopy(tool["inputSchema"])),
    "google-genai": google,
    "langchain-google-genai": langchain,
    "anthropic": lambda tool: transform_schema(tool["inputSchema"]),
}

roles = json.load(sys.stdin)
json.dump(
    {
        role: {name: {tool["name"]: convert(tool) for tool in tools} for name, convert in CONVERTERS.items()}
        for role, tools in roles.items()
    },
    sys.stdout,
)
