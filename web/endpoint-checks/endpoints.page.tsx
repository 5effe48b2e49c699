import type { EndpointChecks } from "../../api/features/endpoint-checks/build.ts";
import type { AgentCheck } from "../../api/features/endpoint-checks/checks.ts";
import { aboutValidSeal } from "../../api/platform/http/caching.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { page as pageRules } from "../../api/platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../api/platform/http/router.ts";
import { TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import type { CheckId, Fix, Grade, GradeReport } from "../../protocol/endpoints/index.ts";
import {
  Card,
  Code,
  DateTime,
  DescriptionItem,
  DescriptionList,
  Notice,
  ScriptRoot,
  type Tone,
  UntrustedText,
} from "../ui/components.tsx";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { leadFromDigits } from "../ui/typed-digits.ts";
import { HistoryStrip } from "./history-strip.page.tsx";
import type { EndpointsPageData } from "./page-data.ts";
import { StateBadge } from "./states.page.tsx";

/** The page that says whether an agent's endpoints answer, and what its owner can mend. */
export const showEndpointsPage = page({
  operationId: "showEndpointsPage",
  rules: pageRules,
  path: "/endpoints/{name}",
  params: { name: TypedAgentSchema },
  errors: [...AGENT_READ_ERRORS],
  async show(
    { name },
    {
      endpointChecks,
      clock,
    }: {
      readonly endpointChecks: Pick<EndpointChecks, "of">;
      readonly clock: () => Date;
    },
    _kit,
    c,
  ) {
    if (name.kind !== "name") return leadFromDigits(c);
    const { at, value } = await endpointChecks.of(name, null);
    reflectsBlock(c, at);
    if (value.validity === "valid") aboutValidSeal(c);
    return endpointsPage(value, clock());
  },
});

function endpointsPage(found: AgentCheck, now: Date): Page {
  const { agentName, report, check } = found;
  const script: EndpointsPageData = {
    agentName,
    checkedAt: check?.checkedAt.toISOString() ?? null,
  };
  return {
    title: `Endpoints of ${agentName}`,
    description:
      report === null
        ? `Whether the endpoints of ${agentName} answer.`
        : `Whether the endpoints of ${agentName} answer: grade ${report.grade}.`,
    script: "endpoints",
    width: "overview",
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">Endpoint checks</p>
          <h1>
            Does <a href={`/agents/${agentName}`}>{agentName}</a> answer?
          </h1>
          <p class="lead">
            The service asks every endpoint that the agent declares, and signs what it saw.
          </p>
        </div>
        {report === null ? null : <GradeCard report={report} />}
        <div class="columns">
          <div class="stack">
            <Found found={found} />
            {report === null ? null : <Fixes fixes={report.fixes} found={found} />}
          </div>
          <div class="stack">
            <Card id="again" title={check === null ? "Check now" : "Check again"}>
              <When found={found} />
              <ScriptRoot
                script="endpoints"
                data={script}
                why="Asking for a check happens in a script of this site."
              />
            </Card>
            <Signed found={found} />
          </div>
        </div>
        <Card id="history" title="The last 90 days">
          <HistoryStrip days={found.days} now={now} />
        </Card>
      </div>
    ),
  };
}

const MEANINGS: Readonly<Record<Grade, { readonly tone: Tone; readonly words: string }>> = {
  A: { tone: "good", words: "Everything that matters was found." },
  B: { tone: "good", words: "Most of it was found." },
  C: { tone: "caution", words: "Something that matters is missing." },
  D: { tone: "caution", words: "Much of it is missing." },
  E: { tone: "bad", words: "Little of it was found." },
  F: { tone: "bad", words: "Almost nothing was found." },
};

function GradeCard({ report }: { report: GradeReport }) {
  const { tone, words } = MEANINGS[report.grade];
  return (
    <Card id="grade" title="Grade">
      <div class="grade">
        <strong class={`grade-letter ${tone}`}>{report.grade}</strong>
        <p>
          {words}
          <br />
          <span class="muted">
            {report.reached} of {report.of} points
          </span>
        </p>
      </div>
      <details class="fold">
        <summary>How it comes about</summary>
        <ul class="points">
          {report.checks.map(({ title, points, reached }) => (
            <li class={reached === points ? "reached" : reached === null ? "left-out" : "open"}>
              <span>{title}</span>
              <span class="muted">
                {reached === null ? "does not count here" : `${reached} of ${points}`}
              </span>
            </li>
          ))}
        </ul>
        <p class="muted">
          The same facts always give the same grade:{" "}
          <a href="/docs/endpoint-checks">how it is computed</a>.
        </p>
      </details>
    </Card>
  );
}

/** A page on which a fix is carried out. */
interface Place {
  readonly href: string;
  readonly label: string;
}

type PlaceOf = (agent: AgentCheck) => Place;

/** A card of the console, which asks for the owner's sign-in first. */
const inConsole =
  (part: "passport" | "identity", card: string, label: string): PlaceOf =>
  ({ tokenId }) => ({ href: `/console/${tokenId}/${part}#${card}-title`, label });

const CHANGE_FILE = inConsole("passport", "file-card", "Change the file");

/** Where an owner mends it. */
const PLACES: Readonly<Record<CheckId, PlaceOf>> = {
  "registration-file": CHANGE_FILE,
  "file-type": CHANGE_FILE,
  name: CHANGE_FILE,
  description: inConsole("passport", "file-card", "Describe it"),
  image: inConsole("passport", "file-card", "Add a picture"),
  "file-names-passport": CHANGE_FILE,
  services: inConsole("passport", "file-card", "Add an endpoint"),
  "payment-quote": CHANGE_FILE,
  "endpoints-answer": inConsole("passport", "file-card", "Correct the addresses"),
  "domain-proven": ({ agentName }) => ({
    href: `/v1/domain-verification/${agentName}`,
    label: "The file to publish",
  }),
  certificates: () => ({
    href: "/docs/endpoint-checks#what-is-asked-of-an-endpoint",
    label: "What is asked of an endpoint",
  }),
  "agent-wallet": inConsole("passport", "paying", "Name the wallet"),
  "soul-sealed": inConsole("passport", "sealing", "Seal it"),
  "soul-valid": (agent) =>
    agent.validity === "suspended"
      ? { href: `/reseal/${agent.tokenId}`, label: "Reseal it" }
      : PLACES["soul-sealed"](agent),
  "service-metadata": inConsole("passport", "metadata", "Write it"),
  "did-document": inConsole("identity", "did", "Publish it"),
  "public-identity": inConsole("identity", "saying", "Publish it"),
};

function Fixes({ fixes, found }: { fixes: readonly Fix[]; found: AgentCheck }) {
  return (
    <Card id="fixes" title="What to mend">
      {fixes.length === 0 ? (
        <p>Nothing. All that is checked was found.</p>
      ) : (
        <>
          <p class="muted">In this order: first what adds the most.</p>
          <ol class="fixes">
            {fixes.map((fix) => (
              <FixItem fix={fix} found={found} />
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}

/** What to do, with this agent's name and certificate, and with names of fields as code. */
function Action({ text, found }: { text: string; found: AgentCheck }) {
  const { agentName, tokenId } = found;
  const own = text.replaceAll("{name}", agentName).replaceAll("{tokenId}", String(tokenId));
  return <>{own.split("`").map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

function FixItem({ fix, found }: { fix: Fix; found: AgentCheck }) {
  const place = PLACES[fix.id](found);
  return (
    <li>
      <p>
        <strong>{fix.title}</strong>{" "}
        <span class="muted">{`${fix.adds}\u00a0${fix.adds === 1 ? "point" : "points"}`}</span>
      </p>
      <p>
        <Action text={fix.action} found={found} />
      </p>
      {fix.about.length === 0 ? null : (
        <ul>
          {fix.about.map((endpoint) => (
            <li class="code">
              <UntrustedText text={endpoint} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <a class="button secondary" href={place.href}>
          {place.label}
        </a>
      </p>
    </li>
  );
}

const READINGS = {
  no_uri: "Its passport points at no registration file.",
  unavailable: "Its registration file did not answer.",
  unsupported: "Its passport points at something that this service cannot read.",
  invalid: "Its passport points at something that is no registration file.",
  read: "Its registration file names no endpoint that can be asked.",
} as const;

function Found({ found: { check } }: { found: AgentCheck }) {
  if (check === null) {
    return (
      <Card id="found" title="What was found">
        <Notice tone="info" title="Not checked yet">
          <p>A new agent is checked within minutes. Or have it checked now.</p>
        </Notice>
      </Card>
    );
  }
  const { file, endpoints, checkedAt } = check;
  const asked = endpoints.filter(({ kind }) => kind !== null);
  const others = endpoints.filter(({ kind }) => kind === null);
  return (
    <Card id="found" title="What was found">
      {asked.length === 0 ? (
        <p>{READINGS[file.reading]}</p>
      ) : (
        <ul class="endpoints">
          {asked.map((endpoint) => (
            <li>
              <p>
                <strong>
                  <UntrustedText text={endpoint.service} />
                </strong>{" "}
                <StateBadge state={endpoint.state} />
              </p>
              <p class="code">
                <UntrustedText text={endpoint.endpoint} />
              </p>
              <p class="muted">
                {endpoint.seen}
                {endpoint.latencyMs === null ? "" : ` ${Math.round(endpoint.latencyMs)} ms.`}
                {endpoint.certificateEnds === null ? null : (
                  <>
                    {" Its certificate ends on "}
                    <DateTime at={new Date(endpoint.certificateEnds)} />.
                  </>
                )}
                {endpoint.domainProven === false
                  ? " Its domain does not name this agent's passport."
                  : ""}
              </p>
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <p class="muted">
          Not asked:{" "}
          {others.map(({ service }, index) => (
            <>
              {index === 0 ? "" : ", "}
              <UntrustedText text={service} />
            </>
          ))}
          . There is nothing to ask there.
        </p>
      )}
      <p class="muted">
        Checked on <DateTime at={checkedAt} />. The services and their addresses are the owner's
        words; what was seen is this service's.
      </p>
    </Card>
  );
}

function Signed({ found: { check, agentName } }: { found: AgentCheck }) {
  if (check === null) return null;
  return (
    <Card id="signed" title="Signed by this service">
      <DescriptionList>
        <DescriptionItem name="Signer">
          <Code>{check.signer}</Code>
        </DescriptionItem>
        <DescriptionItem name="Signature">
          <Code>{check.signature}</Code>
        </DescriptionItem>
      </DescriptionList>
      <p class="muted">
        <a href={`/v1/endpoint-checks/${agentName}`}>The signed text</a> ·{" "}
        <a href="/docs/endpoint-checks#verifying-a-result">how to verify it</a>
      </p>
    </Card>
  );
}

function When({ found: { nextCheckAt } }: { found: AgentCheck }) {
  return (
    <p class="muted">
      {nextCheckAt === null ? null : (
        <>
          It is checked by itself on <DateTime at={nextCheckAt} /> or soon after.{" "}
        </>
      )}
      Anyone may ask for a check. Two checks are at least 15 minutes apart.
    </p>
  );
}
