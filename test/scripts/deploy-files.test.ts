import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  composeProblems,
  deployFileProblems,
  formProblems,
  knownVariables,
  nodeVersionProblems,
  renderedProblems,
} from "../../scripts/checks/deploy-files.ts";

const KNOWN = knownVariables("PUBLIC_URL=x\n# REPLICAS=1\n# A sentence, not a=b\n");

it("knows the variables of an example, set or not", () => {
  expect([...KNOWN]).toEqual(["PUBLIC_URL", "REPLICAS"]);
});

it("finds nothing in deploy/", () => {
  expect(deployFileProblems()).toEqual([]);
});

it("finds in a Compose file a field that does not exist, and variables that no process reads", () => {
  const file = `
services:
  api:
    image: registry.example.com/agent-identity:1
    restrat: always
    environment:
      REPLICAS: "2"
      PUBLIC_ULR: \${PUBLIC_URL}
  other:
    image: postgres
    environment:
      POSTGRES_USER: \${POSTGRES_OWNER:-svc}
`;
  expect(composeProblems(file, KNOWN)).toEqual([
    '/services/api must NOT have additional properties {"additionalProperty":"restrat"}',
    "POSTGRES_OWNER is not a variable of .env.example.",
    "PUBLIC_ULR is not a variable of .env.example.",
  ]);
});

it("finds in manifests wrong fields, missing ConfigMaps and unknown variables", () => {
  const manifest = (fields: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  selector: { matchLabels: { app: api } }
  template:
    spec:
      containers:
        - name: api
          image: agent-identity
          ${fields}
`;
  expect(formProblems(manifest("readinessProb: {}"))).toEqual([
    `Deployment api: Object literal may only specify known properties, and '"readinessProb"' does not exist in type 'IContainer'.`,
  ]);
  const names = `envFrom: [{ configMapRef: { name: settings } }, { configMapRef: { name: none } }]
          env: [{ name: REPLICS, valueFrom: { secretKeyRef: { name: service-secrets, key: PUBLIC_URI } } }]`;
  const settings = `---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { PUBLIC_URL: x, LOG_LEVL: debug }
`;
  expect(renderedProblems(manifest(names) + settings, KNOWN)).toEqual([
    "There is no ConfigMap none.",
    "LOG_LEVL is not a variable of .env.example.",
    "REPLICS is not a variable of .env.example.",
    "PUBLIC_URI is not a variable of .env.example.",
  ]);
});

it("finds in manifests a variable that uses another before it is set", () => {
  const manifest = (env: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  selector: { matchLabels: { app: api } }
  template:
    spec:
      containers: [{ name: api, image: agent-identity, env: [${env}] }]
`;
  const part = "{ name: HOST_PART, value: example.com }";
  const whole = '{ name: PUBLIC_URL, value: "https://$(HOST_PART)" }';
  expect(renderedProblems(manifest(`${part}, ${whole}`), KNOWN)).toEqual([]);
  const problem = "PUBLIC_URL uses $(HOST_PART), which is not set before it.";
  expect(renderedProblems(manifest(`${whole}, ${part}`), KNOWN)).toEqual([problem]);
  expect(renderedProblems(manifest(whole), KNOWN)).toEqual([problem]);
});

it("wants the container on the Node of a clone", () => {
  const toolchain = readFileSync("scripts/with-toolchain", "utf8");
  expect(nodeVersionProblems("ARG BASE=example.com/node:20.1.0-slim\n", toolchain)).toEqual([
    expect.stringMatching(
      /^deploy\/Containerfile is based on Node 20\.1\.0, and scripts\/with-toolchain has [\d.]+\.$/,
    ),
  ]);
});
