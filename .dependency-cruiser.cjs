// The import direction of the code. kit/, indexer/ and protocol/ list what they may import. In api/ and web/ the layer decides.

/** @param {string} from @param {string[]} to */
const mayImportOnly = (from, to) => ({
  severity: "error",
  from: { path: from },
  to: {
    path: "^(protocol|indexer|api|web|kit|scripts|test|ponder\\.config)(/|\\.|$)",
    pathNot: to,
  },
});

// The layer of a file is the end of its name. A file without a suffix holds decisions.
const DECISIONS = "^(api/(kernel|soul|operations|features)|web)/";
const NO_DECISIONS = [
  "^web/(scripts|ui|owner|home)/",
  "^web/asset",
  "\\.(store|chain|routes|schemas|http|jobs|page)\\.tsx?$",
  "/(index|feature|build|operation-rules|tables|schemas|page-data|worker|soul-reader|readiness-checks)\\.ts$",
];
/** Decisions of the platform, and what it promises to others. */
const PORTS = [
  "^api/platform/(jobs|mail|outbound)/ports\\.ts$",
  "^api/platform/chain/transactions\\.ts$",
  "^api/platform/database/transaction\\.ts$",
  "^api/platform/tracing/spans\\.ts$",
  "^api/platform/storage/(stored-content|job-names)\\.ts$",
  "^api/platform/(secrets/secrets|idempotency/idempotency|sponsorship/(gas-budget|sponsored-relayer))\\.ts$",
];
/** What decisions are carried out with. */
const CONTEXT = [
  "^api/platform/.*\\.(store|chain)\\.ts$",
  "^api/platform/database/connect\\.ts$",
  "^api/(platform|soul)/build\\.ts$",
];
const ADAPTERS = ["^(api|web)/.*\\.(store|chain)\\.ts$", "^api/.*/tables\\.ts$"];
const PAGES = "^web/(ui/|owner/|home/|asset)";
const TRANSLATORS = [
  PAGES,
  "^(api|web)/.*\\.(routes|schemas|http|page)\\.tsx?$",
  "^api/.*/schemas\\.ts$",
];
const WIRING = ["^api/[a-z-]+\\.ts$", "^(api|web)/.*(feature|build)\\.ts$"];

module.exports = {
  forbidden: [
    {
      name: "no-circles",
      comment: "Type-only imports count: two files that know each other are one file.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "protocol-is-pure",
      comment: "No I/O, clock or randomness: the same bytes on every machine, in every browser.",
      severity: "error",
      from: { path: "^protocol/", pathNot: "\\.test\\.ts$" },
      to: {
        pathNot: [
          "^protocol/",
          "(^|/)node_modules/(viem|canonicalize|yaml|ipaddr\\.js|@noble/[^/]+|@scure/[^/]+)/",
        ],
      },
    },
    {
      name: "tracing-is-loaded-when-switched-on",
      comment: "OpenTelemetry costs start time and memory: one file uses it, and is imported late.",
      severity: "error",
      from: {
        path: "^(api|web|protocol|kit|indexer|scripts)/",
        pathNot: "^api/platform/tracing/otlp\\.ts$",
      },
      to: { path: "(^|/)node_modules/@opentelemetry/" },
    },
    {
      name: "tracing-is-imported-late",
      severity: "error",
      from: { path: "^(api|scripts)/" },
      to: { path: "^api/platform/tracing/otlp\\.ts$", dependencyTypesNot: ["dynamic-import"] },
    },
    {
      name: "indexer-imports-protocol",
      comment: "And the way to a node, which the API has too: it knows nothing of either.",
      ...mayImportOnly("^(indexer/|ponder\\.config)", [
        "^indexer/",
        "^ponder\\.config",
        "^protocol/",
        "^api/platform/chain/transport\\.ts$",
      ]),
    },
    {
      name: "kit-stands-alone",
      comment:
        "It runs anywhere, in other people's services: it brings only the pure protocol along.",
      ...mayImportOnly("^kit/", ["^kit/", "^protocol/"]),
    },
    {
      name: "features-are-on-top",
      comment: "Only what composes them imports them. Pages' scripts share types with them.",
      severity: "error",
      from: { path: "^api/(kernel|platform|soul|operations)/" },
      to: {
        path: "^(api/features|web)/",
        // One statement reads an agent: what is indexed, and what features store of it.
        pathNot: "^api/features/[a-z-]+/tables\\.ts$",
      },
    },
    {
      name: "features-offer-an-index",
      comment: "What a feature offers to others is in its index.ts; all else may change.",
      severity: "error",
      from: { path: "^(?:api/features|web)/([a-z-]+)/" },
      to: { path: "^api/features/", pathNot: "^api/features/($1/|[a-z-]+/index\\.ts$)" },
    },
    {
      name: "the-website-is-its-own-part",
      comment: "It reads what integrators read: only what composes the service knows it.",
      severity: "error",
      from: { path: "^api/", pathNot: "^api/(app|compose|features)\\.ts$" },
      to: { path: "^web/" },
    },
    {
      name: "decisions-know-no-routes",
      comment:
        "Decisions call the stores and chain files of features. Of the platform they know what it promises.",
      severity: "error",
      from: { path: DECISIONS, pathNot: NO_DECISIONS },
      to: {
        path: [...TRANSLATORS, ...WIRING, "^api/platform/", "^indexer/"],
        pathNot: [...PORTS, ...CONTEXT],
      },
    },
    {
      name: "decisions-have-no-io-libraries",
      severity: "error",
      from: { path: [DECISIONS, ...PORTS], pathNot: [...NO_DECISIONS, "^api/kernel/errors\\.ts$"] },
      to: {
        path: "(^|/)node_modules/(pg|drizzle-orm|hono|@hono/[^/]+|pino|ponder|undici|nodemailer)/",
      },
    },
    {
      name: "routes-and-pages-translate",
      comment: "They reach the database, the chain and storage only through decisions.",
      severity: "error",
      from: { path: TRANSLATORS },
      to: {
        path: [
          ...ADAPTERS,
          "^api/platform/(database|chain|storage|outbound|mail|jobs)/",
          "^indexer/",
        ],
        pathNot: PORTS,
      },
    },
    {
      name: "page-scripts-run-in-browsers",
      comment:
        "They share types with the service, and components that draw on both sides, never other code: what they import is sent to everybody. Of the kit they use what owners and verifiers do without the service.",
      severity: "error",
      from: { path: "^web/scripts/" },
      to: {
        pathNot: [
          "^(web/scripts|protocol)/",
          "^web/ui/(components|event-item|fields|signed-message|soul-tree|text)\\.tsx?$",
          "^kit/(agent|alignment|chronicles|disclosure|did)/",
          "(^|/)node_modules/(viem|mipd|hono|@scure/base)/",
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "adapters-implement-ports",
      severity: "error",
      from: { path: [...ADAPTERS, "^api/platform/(database|chain|storage|outbound|mail)/"] },
      to: { path: [...TRANSLATORS, "^api/platform/(http|limits)/"] },
    },
    {
      name: "server-is-the-root",
      comment: "Its own test imports it, and the command that runs a process of the service.",
      severity: "error",
      from: { pathNot: "^(test/|scripts/processes/service\\.ts$)" },
      to: { path: "^api/server\\.ts$" },
    },
    {
      name: "only-the-index-reads-import-the-indexer",
      severity: "error",
      from: { path: "^(api|web)/", pathNot: "^api/soul/index-views\\.store\\.ts$" },
      to: { path: "^(indexer/|ponder\\.config)" },
    },
    {
      name: "product-imports-no-tooling",
      severity: "error",
      from: { path: "^(protocol|kit|indexer|api|web)/" },
      to: { path: "^(scripts|test)/" },
    },
    {
      name: "unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^ponder:(api|registry|schema)$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(artifacts|cache)/|^kit/dist/|ponder-env\\.d\\.ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
