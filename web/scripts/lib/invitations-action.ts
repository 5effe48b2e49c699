import type { z } from "@hono/zod-openapi";
import type { InvitationsAnswer } from "../../../api/features/organizations/index.ts";
import type { InvitationsAction } from "../../owner/data.ts";
import type { TypedData } from "../../ui/typed-data.ts";
import type { Connection } from "../wallets/wallet-panel.ts";
import { sameAddress } from "../wallets/wallets.ts";
import { postJson } from "./api.ts";
import { actions, button, code, element, fact, link } from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { momentText } from "./moments.ts";
import { type SendOptions, signAndSend, signedRequest } from "./sign-and-send.ts";
import { accountView } from "./signers.ts";

type Invitations = z.output<typeof InvitationsAnswer>;
type Invitation = Invitations["invitations"][number];

const PATH = "/v1/org/invitations";

interface SignedWish extends Pick<SendOptions, "method" | "path" | "label"> {
  readonly operation: string;
  /** In the body of the typed data, and of the request. */
  readonly wish: object;
  /** In the body of the request alone. */
  readonly more: object;
}

/**
 * Lists the invitations of the wallet's account, and ends single ones. Each takes one signature and
 * no sign-in, which would need a passport: an admin may own none.
 */
export function invitationsAction(
  area: HTMLElement,
  { organizationId }: InvitationsAction,
): (connection: Connection | null) => void {
  const { show, turn } = accountView(area, null, (connection, problem) => {
    area.replaceChildren(
      problem ?? "",
      actions(button("Sign to see them", () => void load(connection), "button secondary")),
    );
  });
  return show;

  async function load(connection: Connection): Promise<void> {
    const begun = turn();
    try {
      const { invitations } = await signed<Invitations>(connection, {
        operation: "org-invitations",
        wish: {},
        more: organizationId === null ? {} : { organizationId },
        method: "POST",
        path: PATH,
        label: "Read",
      });
      if (turn() !== begun) return;
      const rows = invitations.map((invitation) => row(invitation, connection, turn()));
      area.replaceChildren(
        rows.length === 0
          ? element("p", {}, "No invitation waits.")
          : element("dl", { class: "facts" }, ...rows),
      );
    } catch (error) {
      if (turn() === begun) show(connection, failureNotice(error));
    }
  }

  /** Has the account sign what `POST /v1/typed-data/{operation}` answers, and sends it. */
  async function signed<Answer>(
    connection: Connection,
    { operation, wish, more, ...send }: SignedWish,
  ): Promise<Answer> {
    const { account } = connection;
    const body = { accountAddress: account, ...wish };
    const typedData = await postJson<TypedData>(`/v1/typed-data/${operation}`, body);
    return signAndSend<Answer>(area, connection, signedRequest([typedData]), {
      ...send,
      progress: "It costs nothing.",
      body: (part) => ({ ...body, ...more, ...part, signer: account }),
    });
  }

  async function end({ invitationId }: Invitation, connection: Connection): Promise<void> {
    const begun = turn();
    try {
      await signed<null>(connection, {
        operation: "org-invitation-end",
        wish: { invitationId },
        more: {},
        method: "DELETE",
        path: `${PATH}/${invitationId}`,
        label: "End it",
      });
      if (turn() === begun) show(connection, element("p", { role: "status" }, "It has ended."));
    } catch (error) {
      if (turn() === begun) show(connection, failureNotice(error));
    }
  }

  function row(invitation: Invitation, connection: Connection, begun: number): HTMLElement {
    const { organizationId, tokenId, signedBy: signers, awaiting, expiresAt } = invitation;
    const isOwn = signers.some(({ signer }) => sameAddress(signer, connection.account));
    const waitsFor = awaiting.flatMap(({ role, signer }) => [`the ${role} `, code(signer)]);
    const finish = () => {
      if (turn() === begun) void end(invitation, connection);
    };
    return fact(
      `Certificate ${tokenId}`,
      link(`/certificates/${tokenId}`, "The agent"),
      ", and ",
      link(`/organizations/${organizationId}`, `organization ${organizationId}`),
      ". It waits for ",
      ...waitsFor,
      `, until ${momentText(expiresAt)}. `,
      isOwn
        ? ""
        : link(`/organizations/${organizationId}?agent=${tokenId}#joining-title`, "Accept it"),
      element("br"),
      button(isOwn ? "Withdraw it" : "Decline it", finish, "link-button"),
    );
  }
}
