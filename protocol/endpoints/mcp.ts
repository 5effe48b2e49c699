import { isPlainObject } from "../json.ts";
import {
  answering,
  counted,
  failed,
  type Probe,
  type ProbeOutcome,
  type ProbeRequest,
  silent,
  silentBy,
  versionOf,
} from "./exchange.ts";
import { asksForAccess, refusalFinding } from "./web.ts";

/** Offered to the server, which may answer with another version that it speaks. */
const PROTOCOL_VERSION = "2025-06-18";
const ANSWER_BYTES = 512 * 1024;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "agent-identity-protocol-check", version: "1" },
  },
} as const;
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
const LIST_TOOLS = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} } as const;

/** Opens a session over Streamable HTTP, lists the tools, and ends the session. No tool is called. */
export function* mcpProbe(endpoint: string): Probe {
  const opened = yield post(endpoint, INITIALIZE, {});
  if (failed(opened)) return silentBy(opened.failed);
  if (asksForAccess(opened.status)) return refusalFinding(opened);
  const initialized = resultIn(opened, INITIALIZE.id);
  if (initialized === null) {
    return silent(
      opened.status === 200
        ? "It answered, and not to MCP's initialize."
        : `It answered ${opened.status} to MCP's initialize.`,
    );
  }
  const version = versionOf(initialized.protocolVersion);
  if (version === null) return silent("It answered MCP's initialize without a protocol version.");
  const headers = sessionHeaders(version, opened.headers["mcp-session-id"]);

  const noted = yield post(endpoint, INITIALIZED, headers);
  if (failed(noted)) return silentBy(noted.failed);
  const listed = yield post(endpoint, LIST_TOOLS, headers);
  if (headers["mcp-session-id"] !== undefined) {
    // A server may keep sessions until they end: whether it allows their end decides nothing.
    yield { method: "DELETE", url: endpoint, headers, body: null, maxBytes: 0, isEnough: null };
  }
  if (failed(listed)) return silentBy(listed.failed);
  if (asksForAccess(listed.status)) return refusalFinding(listed);
  const tools = resultIn(listed, LIST_TOOLS.id)?.tools;
  if (!Array.isArray(tools)) {
    return silent(`An MCP server (protocol ${version}) that lists no tools.`);
  }
  const more = typeof resultIn(listed, LIST_TOOLS.id)?.nextCursor === "string" ? " or more" : "";
  return answering(
    `An MCP server (protocol ${version}) with ${counted(tools.length, "tool")}${more}.`,
  );
}

function sessionHeaders(version: string, session: string | undefined) {
  const isUsable = session !== undefined && /^[\x21-\x7e]{1,256}$/.test(session);
  const base: Record<string, string> = { "mcp-protocol-version": version };
  return isUsable ? { ...base, "mcp-session-id": session } : base;
}

function post(
  url: string,
  message: { readonly method: string; readonly id?: number },
  headers: Readonly<Record<string, string>>,
): ProbeRequest {
  const { id } = message;
  const reader = id === undefined ? null : createEventReader(id);
  return {
    method: "POST",
    url,
    headers: {
      ...headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify(message),
    maxBytes: id === undefined ? 0 : ANSWER_BYTES,
    // A server may leave the stream open after its answer.
    isEnough: reader === null ? null : (part) => reader.push(part) !== null,
  };
}

/** The result of the answer to message `id`, whether it came alone or in a stream of events. */
function resultIn(outcome: ProbeOutcome, id: number): Record<string, unknown> | null {
  if (failed(outcome) || outcome.status !== 200) return null;
  const text = new TextDecoder().decode(outcome.body);
  const isStream = /^text\/event-stream\b/i.test(outcome.headers["content-type"] ?? "");
  // A stream's last event ends with a blank line, which a closing server may leave out.
  const message = isStream ? createEventReader(id).push(`${text}\n\n`) : answerIn(text, id);
  return message !== null && isPlainObject(message.result) ? message.result : null;
}

/** The answer to message `id` in a JSON text. */
function answerIn(text: string, id: number): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
    const found = (Array.isArray(json) ? json : [json]).find(
      (message) => isPlainObject(message) && message.id === id,
    );
    return isPlainObject(found) ? found : null;
  } catch {
    return null;
  }
}

/**
 * Reads server-sent events part by part, until one holds the answer to message `id`. Its work is
 * linear in what it reads, however small the parts are.
 */
function createEventReader(id: number) {
  let line: string[] = [];
  let data: string[] = [];
  let afterReturn = false;

  function endLine(): Record<string, unknown> | null {
    const text = line.join("");
    line = [];
    if (text.startsWith("data:")) {
      data.push(text.slice(text.startsWith("data: ") ? 6 : 5));
      return null;
    }
    if (text !== "") return null;
    const event = data.join("\n");
    data = [];
    return event === "" ? null : answerIn(event, id);
  }

  return {
    push(part: string): Record<string, unknown> | null {
      let from = 0;
      for (const match of part.matchAll(/[\r\n]/g)) {
        const { index } = match;
        // CR LF is one end of a line, also where two parts meet between them.
        const isSecondHalf = match[0] === "\n" && index === from && afterReturn;
        line.push(part.slice(from, index));
        from = index + 1;
        afterReturn = match[0] === "\r";
        if (isSecondHalf) {
          line = [];
          continue;
        }
        const found = endLine();
        if (found !== null) return found;
      }
      if (from < part.length) {
        line.push(part.slice(from));
        afterReturn = false;
      }
      return null;
    },
  };
}
