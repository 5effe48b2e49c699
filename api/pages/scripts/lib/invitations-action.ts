import type { z } from "@hono/zod-openapi";
import type { InvitationsAnswer } from "../../../features/organizations/index.ts";
import type { InvitationsAction } from "../../owner/data.ts";
import type { TypedData } from "../../typed-data.ts";
import { postJson, sendJson } from "./api.ts";
import { actions, button, code, element, fact, link } from "./dom.ts";
import { failureNotice } from "./failures.ts";
import { progressSteps } from "./steps.ts";
import type { Connection } from "./wallet-panel.ts";
import { sameAddress, signTypedData } from "./wallets.ts";

type Invitations = z.output<typeof InvitationsAnswer>;
type Invitation = Invitations["invitations"][number];

const PATH = "/v1/org/invitations";

/**
 * Lists the invitations of the wallet's account, and ends single ones. Each takes one signature and
 * no sign-in, which would need a passport: an admin may own none.
 */
export function invitationsAction(
  area: HTMLElement,
  { organizationId }: InvitationsAction,
): (connection: Connection | null) => void {
  /** Counts what was shown: an earlier answer is about another account. */
  let shown = 0;
  return show;

  function show(connection: Connection | null, problem?: HTMLElement): void {
    shown += 1;
    if (connection === null) area.replaceChildren();
    else {
      area.replaceChildren(
        problem ?? "",
        actions(button("Sign to see them", () => void load(connection), "button secondary")),
      );
    }
  }

  async function load(connection: Connection): Promise<void> {
    const turn = shown;
    try {
      const signed = await signedBy(connection, "org-invitations", {});
      const wish = organizationId === null ? {} : { organizationId };
      const { invitations } = await postJson<Invitations>(PATH, { ...wish, ...signed });
      if (turn !== shown) return;
      const rows = invitations.map((invitation) => row(invitation, connection, shown));
      area.replaceChildren(
        rows.length === 0
          ? element("p", {}, "No invitation waits.")
          : element("dl", { class: "facts" }, ...rows),
      );
    } catch (error) {
      if (turn === shown) show(connection, failureNotice(error));
    }
  }

  /** What the account signs for this service alone, and its signature. */
  async function signedBy(connection: Connection, operation: string, wish: object) {
    const { wallet, account } = connection;
    const { list, set } = progressSteps({ sign: `Sign in ${wallet.name}`, load: "Read" });
    area.replaceChildren(list);
    const body = { accountAddress: account, ...wish };
    const typedData = await postJson<TypedData>(`/v1/typed-data/${operation}`, body);
    set("sign", "active", "Your wallet asks for a signature. It costs nothing.");
    const signature = await signTypedData(wallet.provider, account, typedData);
    set("sign", "done");
    set("load", "active");
    return { ...body, message: typedData.message, signature, signer: account };
  }

  async function end({ invitationId }: Invitation, connection: Connection): Promise<void> {
    const turn = shown;
    try {
      const signed = await signedBy(connection, "org-invitation-end", { invitationId });
      await sendJson("DELETE", `${PATH}/${invitationId}`, signed);
      if (turn === shown) show(connection, element("p", { role: "status" }, "It has ended."));
    } catch (error) {
      if (turn === shown) show(connection, failureNotice(error));
    }
  }

  function row(invitation: Invitation, connection: Connection, turn: number): HTMLElement {
    const { organizationId, tokenId, signedBy: signers, awaiting, expiresAt } = invitation;
    const isOwn = signers.some(({ signer }) => sameAddress(signer, connection.account));
    const waitsFor = awaiting.flatMap(({ role, signer }) => [`the ${role} `, code(signer)]);
    const finish = () => {
      if (turn === shown) void end(invitation, connection);
    };
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
      button(isOwn ? "Withdraw it" : "Decline it", finish, "link-button"),
    );
  }
}
