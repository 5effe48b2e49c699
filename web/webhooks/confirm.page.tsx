import { z } from "@hono/zod-openapi";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { Card } from "../ui/components.tsx";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";

const path = "/confirm-mail/{token}";
const params = { token: z.string().max(128) };
const errors = ["CODE_USED", "GONE"] as const;

/**
 * The page behind the link of a confirming mail. Opening it changes nothing, because mail programs open links by themselves: its
 * button does.
 */
export const showMailConfirmationPage = page({
  operationId: "showMailConfirmationPage",
  rules: unlistedPage,
  path,
  params,
  errors,
  show: askingPage,
});

export const confirmMail = page({
  operationId: "confirmMail",
  // The token in its path is the credential. The form has no fields.
  rules: { ...unlistedPage, effect: "writes", rate: "write" },
  method: "post",
  path,
  params,
  errors,
  async show(
    { token },
    {
      mailConfirmations,
    }: { readonly mailConfirmations: { confirm(token: string): Promise<void> } },
  ) {
    await mailConfirmations.confirm(token);
    return confirmedPage();
  },
});

function askingPage(): Page {
  return {
    title: "Notices of a webhook",
    body: (
      <div class="stack">
        <Card id="confirm" title="Send notices to this address?">
          <p>
            An agent of this service gave your mail address for notices about failures of its
            webhook. If you agree, it gets at most two mails a day for each webhook.
          </p>
          <form method="post">
            <button type="submit" class="button">
              Confirm the address
            </button>
          </form>
          <p>If you know of no such webhook, close this page. No notice is sent then.</p>
        </Card>
      </div>
    ),
  };
}

function confirmedPage(): Page {
  return {
    title: "Address confirmed",
    body: (
      <div class="stack">
        <Card id="confirmed" title="The address is confirmed">
          <p>Notices about failures of the webhook are sent to it from now on.</p>
        </Card>
      </div>
    ),
  };
}
