import { z } from "@hono/zod-openapi";
import type { BuiltOrganizations } from "../../api/features/organizations/build.ts";
import type {
  OrganizationFilter,
  OrganizationPage,
} from "../../api/features/organizations/organizations.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { TokenIdParam } from "../../api/platform/http/schemas.ts";
import { ActionArea, OwnerHead, WalletCard } from "../owner/components.tsx";
import type { OwnerAction } from "../owner/data.ts";
import { signedWords } from "../owner/words.ts";
import {
  AccountLink,
  Card,
  DateTime,
  DescriptionItem,
  DescriptionList,
  PublishedForEver,
  UntrustedText,
} from "../ui/components.tsx";
import { TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";

const PAGE_SIZE = 25;

/** Organizations, listed or found, and the page on which an account founds one. */
export const showOrganizationsPage = page({
  operationId: "showOrganizationsPage",
  rules: unlistedPage,
  path: "/organizations",
  query: {
    q: z.string().trim().max(64).optional(),
    tokenId: TokenIdParam.optional(),
    cursor: TokenIdParam.optional(),
  },
  errors: ["INDEX_BEHIND"],
  async show(
    { q: typed = "", tokenId, cursor = 0n },
    {
      organizations,
    }: {
      readonly organizations: Pick<BuiltOrganizations["organizations"], "list">;
    },
    kit,
    c,
  ) {
    const filter = { q: typed === "" ? undefined : typed, tokenId };
    const { at, value } = await organizations.list(filter, cursor, PAGE_SIZE);
    reflectsBlock(c, at);
    return organizationsPage(kit, filter, value);
  },
});

function organizationsPage(kit: PageKit, filter: OrganizationFilter, list: OrganizationPage): Page {
  const any = { accounts: [], refusal: "" };
  const actions: OwnerAction[] = [
    {
      kind: "sign",
      id: "found",
      signers: any,
      labels: { start: "Review what you sign", sign: "Sign and found", send: "Found it" },
      form: "found-form",
      confirm: null,
      soul: null,
      request: {
        typedData: "org",
        method: "POST",
        path: "/v1/org",
        body: { adminAddress: "$account" },
        preparation: {},
      },
      done: {
        done: {
          title: "The organization is founded",
          text: "You are its admin.",
          links: [{ href: "/organizations/{organizationId}", label: "See its page" }],
        },
      },
    },
    { kind: "invitations", id: "invitations", signers: any, organizationId: null },
  ];
  const words = signedWords({ OrganizationRegistry: ["CreateOrganization"] });
  return {
    title: "Organizations",
    script: "owner",
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Agents that act together" title="Organizations">
          An organization groups agents under one admin. An agent belongs to at most one, and both
          its owner and the admin sign for it.
        </OwnerHead>
        <ListCard filter={filter} list={list} />
        <WalletCard data={{ network: kit.network, actions, words }}>
          <p>
            For founding, and for your invitations. You send no transaction, and the service pays
            the network's fees.
          </p>
        </WalletCard>
        <Card id="invited" title="Your invitations">
          <p>
            A signature that waits for a second one, up to 7 days: of an admin who invites your
            agent, or of yours.
          </p>
          <ActionArea id="invitations" />
        </Card>
        <Card id="founding" title="Found one">
          <PublishedForEver />
          <ActionArea id="found">
            <TextField
              name="name"
              label="Name"
              hint="Public, at most 64 bytes. It need not be unique, and never changes."
            />
          </ActionArea>
        </Card>
      </div>
    ),
  };
}

function ListCard({ filter, list }: { filter: OrganizationFilter; list: OrganizationPage }) {
  const { q, tokenId } = filter;
  const title =
    tokenId === undefined ? "All organizations" : `The organization of certificate ${tokenId}`;
  return (
    <Card id="list" title={title}>
      <form class="search" action="/organizations">
        <label for="q">The beginning of its name, or its number</label>
        <div>
          <input class="control" id="q" name="q" value={q} maxlength={64} autocomplete="off" />
          <button class="button secondary" type="submit">
            Find it
          </button>
        </div>
      </form>
      {list.organizations.length === 0 ? <p class="muted">None.</p> : null}
      <DescriptionList>
        {list.organizations.map(({ organizationId, name, admin, memberCount, createdAt }) => (
          <DescriptionItem
            name={
              <a href={`/organizations/${organizationId}`}>
                <UntrustedText text={name === "" ? `Organization ${organizationId}` : name} />
              </a>
            }
          >
            Organization {String(organizationId)}, {memberCount}{" "}
            {memberCount === 1 ? "member" : "members"}, founded on <DateTime at={createdAt} />
            <br />
            Admin <AccountLink address={admin} />
          </DescriptionItem>
        ))}
      </DescriptionList>
      {list.next === null ? null : (
        <p>
          <a href={`/organizations?${nextQuery(filter, list.next)}`}>Next page</a>
        </p>
      )}
      {tokenId === undefined ? null : (
        <p>
          <a href="/organizations">All organizations</a>
        </p>
      )}
    </Card>
  );
}

function nextQuery({ q, tokenId }: OrganizationFilter, next: bigint): string {
  const query = new URLSearchParams({ cursor: next.toString() });
  if (q !== undefined) query.set("q", q);
  if (tokenId !== undefined) query.set("tokenId", tokenId.toString());
  return query.toString();
}
