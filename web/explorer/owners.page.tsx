import type { Address } from "viem";
import type { AgentList, AgentPage, ExploredAgent } from "../../api/features/profile/index.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { listedPage } from "../../api/platform/http/operations.ts";
import { AddressSchema, AgentIdParam } from "../../api/platform/http/schemas.ts";
import { shortHex } from "../../protocol/short-hex.ts";
import { Card, Notice, UntrustedText } from "../ui/components.tsx";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { ExploredCards } from "./agent-list.page.tsx";
import { agentsUrl } from "./agents-query.schemas.ts";
import { CursorTurner, SoulLines } from "./record-parts.page.tsx";
import { type AccountFacts, MOST_ENTRIES, type RecordReads } from "./records.ts";

const AGENTS_SHOWN = 12;
const PASSPORTS_SHOWN = 25;

/** Everything that an account has here. */
export const showOwnerPage = page({
  operationId: "showOwnerPage",
  rules: listedPage,
  path: "/owners/{address}",
  params: { address: AddressSchema },
  query: { passportsAfter: AgentIdParam.optional() },
  errors: ["INVALID_REQUEST", "REGISTRY_PENDING", "INDEX_BEHIND"],
  async show(
    { address, passportsAfter: after },
    {
      agentList,
      records,
    }: {
      readonly agentList: AgentList;
      readonly records: Pick<RecordReads, "account">;
    },
    _kit,
    c,
  ) {
    const [owned, account] = await Promise.all([
      agentList.explore({ owner: address }, { order: "newest", after: null }, AGENTS_SHOWN),
      records.account(address, { limit: PASSPORTS_SHOWN, after }),
    ]);
    reflectsBlock(c, owned.at.block < account.at.block ? owned.at : account.at, "same");
    const isFirst = after === undefined;
    return ownerPage(address, owned.value, account.value, isFirst);
  },
});

function ownerPage(
  address: Address,
  owned: AgentPage<ExploredAgent>,
  account: AccountFacts,
  isFirst: boolean,
): Page {
  const { passports, operates, organizations } = account;
  const counts = [owned.agents, passports.entries, operates, organizations];
  const isEmpty = isFirst && counts.every((list) => list.length === 0);
  return {
    title: `Account ${shortHex(address)}`,
    description: "Agents, passports and organizations of one account.",
    width: "overview",
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">Account</p>
          <h1 class="address">{address}</h1>
        </div>
        {isEmpty ? (
          <Notice tone="info" title="This account has nothing here">
            <p>
              It owns no passport, acts for no agent and administers no organization.{" "}
              <a href="/docs/registration">How an agent is registered</a>
            </p>
          </Notice>
        ) : (
          <Possessions address={address} owned={owned} account={account} isFirst={isFirst} />
        )}
      </div>
    ),
  };
}

function Possessions({
  address,
  owned,
  account: { passports, operates, organizations },
  isFirst,
}: {
  address: Address;
  owned: AgentPage<ExploredAgent>;
  account: AccountFacts;
  isFirst: boolean;
}) {
  return (
    <>
      <Card id="agents" title="Agents that it owns">
        {owned.agents.length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <ExploredCards agents={owned.agents} />
        )}
        {owned.next === null ? null : (
          <p>
            <a href={agentsUrl({ owner: address })}>All agents that it owns</a>
          </p>
        )}
      </Card>
      <div class="columns thirds">
        <PassportsCard address={address} passports={passports} isFirst={isFirst} />
        <Card id="operates" title="Agents that it acts for">
          <SoulLines souls={operates} none="None." />
          {operates.length < MOST_ENTRIES ? null : (
            <p>
              <a href={agentsUrl({ operator: address })}>All agents that it acts for</a>
            </p>
          )}
        </Card>
        <OrganizationsCard organizations={organizations} />
      </div>
    </>
  );
}

function PassportsCard({
  address,
  passports: { entries, next },
  isFirst,
}: {
  address: Address;
  passports: AccountFacts["passports"];
  isFirst: boolean;
}) {
  const path = `/owners/${address}`;
  return (
    <Card id="passports" title="Passports that it owns">
      {entries.length === 0 ? (
        <p class="muted">{isFirst ? "None." : "The list ends here."}</p>
      ) : (
        <ul class="plain-list">
          {entries.map(({ passportId, soul }) => (
            <li>
              <a href={`/passports/${passportId}`}>Passport {String(passportId)}</a>
              {soul === null ? (
                <span class="muted"> without a soul</span>
              ) : (
                <>
                  , with the soul of <a href={`/agents/${soul.agentName}`}>{soul.agentName}</a>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <CursorTurner
        label="Pages of the passports"
        first={isFirst ? null : ["First page", `${path}#passports-title`]}
        next={
          next === null ? null : ["Next page", `${path}?passportsAfter=${next}#passports-title`]
        }
      />
    </Card>
  );
}

function OrganizationsCard({ organizations }: Pick<AccountFacts, "organizations">) {
  return (
    <Card id="organizations" title="Organizations that it administers">
      {organizations.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <ul class="plain-list">
          {organizations.map(({ id, name }) => (
            <li>
              <a href={`/organizations/${id}`}>
                <UntrustedText text={name === "" ? `Organization ${id}` : name} />
              </a>
              {name === "" ? null : <span class="muted"> organization {String(id)}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
