import type { z } from "@hono/zod-openapi";
import type { InvitationsAnswer } from "../../../features/organizations/index.ts";
import type { InvitationsAction } from "../../owner/data.ts";
import { deleteAs, getAs } from "./api.ts";
import { button, code, element, fact, link } from "./dom.ts";
import { sessionView } from "./session-view.ts";
import type { Connection } from "./wallet-panel.ts";
import { sameAddress } from "./wallets.ts";

type Invitations = z.output<typeof InvitationsAnswer>;
type Invitation = Invitations["invitations"][number];

/** Lists the invitations of the wallet's account, and ends single ones. */
export function invitationsAction(
  area: HTMLElement,
  { organizationId, signers }: InvitationsAction,
): (connection: Connection | null) => void {
  const filter = organizationId === null ? "" : `?organizationId=${organizationId}`;
  return sessionView(area, {
    label: "Sign in to see them",
    signers,
    agentId: null,
    async load({ accessToken, account, run }) {
      const path = "/v1/org/invitations";
      const { invitations } = await getAs<Invitations>(accessToken, `${path}${filter}`);
      if (invitations.length === 0) return [element("p", {}, "No invitation waits.")];
      const rows = invitations.map((invitation) => row(invitation, account, end));
      return [element("dl", { class: "facts" }, ...rows)];

      function end({ invitationId }: Invitation): void {
        run(() => deleteAs(accessToken, `${path}/${invitationId}`));
      }
    },
  });
}

function row(
  invitation: Invitation,
  account: string,
  end: (invitation: Invitation) => void,
): HTMLElement {
  const { organizationId, tokenId, signedBy, awaiting, expiresAt } = invitation;
  const isOwn = signedBy.some(({ signer }) => sameAddress(signer, account));
  const waitsFor = awaiting.flatMap(({ role, signer }) => [`the ${role} `, code(signer)]);
  return fact(
    `Certificate ${tokenId}`,
    link(`/agents/${tokenId}`, "The agent"),
    ", and ",
    link(`/organizations/${organizationId}`, `organization ${organizationId}`),
    ". It waits for ",
    ...waitsFor,
    `, until ${new Date(expiresAt).toUTCString()}. `,
    isOwn
      ? ""
      : link(`/organizations/${organizationId}?agent=${tokenId}#joining-title`, "Accept it"),
    element("br"),
    button(isOwn ? "Withdraw it" : "Decline it", () => end(invitation), "link-button"),
  );
}
