import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { EndpointsPageData } from "../endpoint-checks/page-data.ts";
import { getJson, send } from "./lib/api.ts";
import { actions, button, byId, notice, pageData } from "./lib/dom.tsx";
import { failureNotice } from "./lib/failures.tsx";

/** Between two looks at whether the check has ended. */
const LOOK_MS = 3_000;
/** Longer than any check takes. */
const LOOKS = 60;
/** A check that begins later is not waited for. */
const SOON_MS = 5_000;

const root = byId("endpoints-root");
const { agentName, checkedAt } = pageData<EndpointsPageData>(root);
const path = `/v1/endpoint-checks/${agentName}`;
root.setAttribute("aria-live", "polite");
offer();

function offer(before?: Child): void {
  render([before, actions(button("Check now", request))], root);
}

async function request(): Promise<void> {
  say("Asking for a check …");
  try {
    const { checkAt } = await send<{ checkAt: string }>("POST", path, null);
    const begins = new Date(checkAt);
    if (begins.getTime() - Date.now() > SOON_MS) {
      const time = begins.toLocaleTimeString();
      return offer(notice("info", `The check begins at ${time}`, "The last one was just now."));
    }
    say("The endpoints are being asked …");
    await look(LOOKS);
  } catch (error) {
    offer(failureNotice(error));
  }
}

async function look(left: number): Promise<void> {
  if (left === 0) {
    return offer(notice("caution", "The check takes longer than usual", "Come back later."));
  }
  const found = await getJson<{ checkedAt: string | null }>(path);
  if (found.checkedAt !== checkedAt) return location.reload();
  await new Promise((done) => setTimeout(done, LOOK_MS));
  await look(left - 1);
}

function say(text: string): void {
  render(<p class="muted">{text}</p>, root);
}
