import type { Context, ErrorHandler, NotFoundHandler } from "hono";
import { ApiError } from "../../api/kernel/errors.ts";
import type { AppEnv } from "../../api/platform/http/env.ts";
import { Code } from "./components.tsx";
import type { PageKit } from "./kit.ts";
import { sendPage } from "./send.tsx";
import { waitText } from "./text.ts";

/** Programs use what lies here: even a browser gets JSON. */
const FOR_PROGRAMS = /^\/(v1|api|ar|assets|health|ready|metrics|\.well-known)(\/|$)/;

const HEADINGS: Readonly<Record<number, string>> = {
  404: "There is nothing here",
  410: "This has expired",
  429: "That was a lot at once",
  500: "Something went wrong on our side",
  503: "Not available right now",
};

/** Answers a failed request as `answer` does, and as a page where a person asked for one. */
export function withErrorPages(kit: PageKit, answer: ErrorHandler<AppEnv>): ErrorHandler<AppEnv> {
  return async (error, c) => {
    const response = await answer(error, c);
    return asPage(kit, c) ?? response;
  };
}

/** The same for paths that do not exist. */
export function withNotFoundPages(
  kit: PageKit,
  answer: NotFoundHandler<AppEnv>,
): NotFoundHandler<AppEnv> {
  return async (c) => {
    const response = await answer(c);
    return asPage(kit, c) ?? response;
  };
}

function asPage(kit: PageKit, c: Context<AppEnv>) {
  const { error } = c;
  if (!(error instanceof ApiError) || !isForPeople(c)) return null;
  const heading = HEADINGS[error.status] ?? "This did not work";
  return sendPage(
    c,
    kit,
    {
      title: heading,
      body: (
        <div class="error-page">
          <p class="error-status" aria-hidden="true">
            {error.status}
          </p>
          <h1>{heading}</h1>
          <p class="lead">{error.message}</p>
          {error.retryAfter === undefined ? null : (
            <p>Try again in {waitText(error.retryAfter)}.</p>
          )}
          <p class="actions">
            {error.status === 404 ? (
              <a class="button" href="/agents">
                Search all agents
              </a>
            ) : null}
            <a class="button secondary" href="/">
              To the home page
            </a>
          </p>
          <p class="muted">
            The operator of this service finds the request under <Code>{c.get("requestId")}</Code>
          </p>
        </div>
      ),
    },
    error.status,
  );
}

/** A browser that goes somewhere says that it takes HTML; scripts and programs do not. */
function isForPeople(c: Context<AppEnv>): boolean {
  const accepted = c.req.header("accept") ?? "";
  if (!/(^|[\s,])text\/html\b/i.test(accepted)) return false;
  const rules = c.get("rules");
  return rules === undefined ? !FOR_PROGRAMS.test(c.req.path) : rules.answers === "page";
}
