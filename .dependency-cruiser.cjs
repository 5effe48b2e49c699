// The import direction of the code. Each rule says what a folder may import; everything else in the repository is forbidden.

/** @param {string} from @param {string[]} to */
const mayImportOnly = (from, to) => ({
  severity: "error",
  from: { path: from },
  to: {
    path: "^(protocol|indexer|api|kit|scripts|ignition|test|ponder\\.config)(/|\\.|$)",
    pathNot: to,
  },
});

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Type-only imports may point back; code may not.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "protocol-is-pure",
      comment: "No I/O, clock or randomness: the same bytes on every machine, in every browser.",
      severity: "error",
      from: { path: "^protocol/", pathNot: "\\.test\\.ts$" },
      to: {
        pathNot: [
          "^protocol/",
          "(^|/)node_modules/(viem|canonicalize|yaml|@noble/[^/]+|@scure/[^/]+)/",
        ],
      },
    },
    {
      name: "kit-is-for-everybody",
      comment: "What integrators import runs anywhere and brings nothing of the service along.",
      ...mayImportOnly("^kit/", ["^kit/", "^protocol/"]),
    },
    {
      name: "indexer-imports-protocol",
      ...mayImportOnly("^(indexer/|ponder\\.config)", [
        "^indexer/",
        "^ponder\\.config",
        "^protocol/",
      ]),
    },
    {
      name: "kit-stands-alone",
      comment:
        "It runs in other people's services: nothing of ours but the pure protocol comes with it.",
      ...mayImportOnly("^kit/", ["^kit/", "^protocol/"]),
    },
    {
      name: "services-decide-alone",
      comment: "Services know protocol, errors and the port types they declare themselves.",
      ...mayImportOnly("^api/services/", ["^api/services/", "^api/errors\\.ts$", "^protocol/"]),
    },
    {
      name: "services-have-no-io-libraries",
      severity: "error",
      from: { path: "^api/services/" },
      to: {
        path: "(^|/)node_modules/(pg|drizzle-orm|hono|@hono/[^/]+|pino|ponder|undici|nodemailer)/",
      },
    },
    {
      name: "routes-translate",
      comment: "A route reaches the database, the chain and storage only through a service.",
      severity: "error",
      from: { path: "^api/routes/" },
      to: { path: "^(api/(db|chain|storage|outbound|mail|jobs)/|indexer/)" },
    },
    {
      name: "pages-translate",
      comment: "As routes do.",
      severity: "error",
      from: { path: "^api/pages/" },
      to: { path: "^(api/(db|chain|storage|outbound|mail|jobs)/|indexer/)" },
    },
    {
      name: "page-scripts-run-in-browsers",
      comment:
        "They share types with the service, never code: what they import is sent to everybody.",
      severity: "error",
      from: { path: "^api/pages/scripts/" },
      to: { pathNot: "^(api/pages/scripts|protocol)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters-implement-ports",
      severity: "error",
      from: { path: "^api/(db|chain|storage|outbound|mail)/" },
      to: { path: "^api/(routes|http|jobs|pages)/" },
    },
    {
      name: "nobody-imports-server",
      comment: "But for its own test.",
      severity: "error",
      from: { pathNot: "^test/" },
      to: { path: "^api/server\\.ts$" },
    },
    {
      name: "only-chain-store-reads-the-indexer",
      severity: "error",
      from: { path: "^api/", pathNot: "^api/db/chain\\.ts$" },
      to: { path: "^(indexer/|ponder\\.config)" },
    },
    {
      name: "product-imports-no-tooling",
      severity: "error",
      from: { path: "^(protocol|kit|indexer|api)/" },
      to: { path: "^(scripts|test|ignition)/" },
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
    exclude: { path: "(^|/)(artifacts|cache)/|ponder-env\\.d\\.ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
