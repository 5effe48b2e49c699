import { createRoute, z } from "@hono/zod-openapi";
import type { MailConfirmations } from "../../api/features/webhooks/mail/confirmations.ts";
import { createRouter, errorResponses } from "../../api/platform/http/router.ts";
import { operations } from "../operation-rules.ts";
import { Card } from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { sendPage } from "../ui/send.tsx";

export interface MailConfirmationPageDeps {
  readonly pages: PageKit;
  readonly mailConfirmations: Pick<MailConfirmations, "confirm">;
}

const request = { params: z.object({ token: z.string().max(128) }) };
const responses = {
  200: { description: "The page." },
  ...errorResponses("CODE_USED", "GONE"),
};

const showMailConfirmationPage = createRoute({
  method: "get",
  path: "/confirm-mail/{token}",
  operationId: "showMailConfirmationPage",
  request,
  responses,
});

const confirmMail = createRoute({
  method: "post",
  path: "/confirm-mail/{token}",
  operationId: "confirmMail",
  request,
  responses,
});

/**
 * The page behind the link of a confirming mail. Opening it changes nothing, because mail programs open links by themselves: its
 * button does.
 */
export function mailConfirmationPageRoutes({ pages, mailConfirmations }: MailConfirmationPageDeps) {
  return createRouter(operations)
    .openapi(showMailConfirmationPage, async (c) => sendPage(c, pages, askingPage()))
    .openapi(confirmMail, async (c) => {
      await mailConfirmations.confirm(c.req.valid("param").token);
      return sendPage(c, pages, confirmedPage());
    });
}

const askingPage = (): Page => ({
  title: "Notices of a webhook",
  body: (
    <div class="stack">
      <Card id="confirm" title="Send notices to this address?">
        <p>
          An agent of this service gave your mail address for notices about failures of its webhook.
          If you agree, it gets at most two mails a day for each webhook.
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
});

const confirmedPage = (): Page => ({
  title: "Address confirmed",
  body: (
    <div class="stack">
      <Card id="confirmed" title="The address is confirmed">
        <p>Notices about failures of the webhook are sent to it from now on.</p>
      </Card>
    </div>
  ),
});
