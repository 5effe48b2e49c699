import type { ReferencedOperation } from "./openapi-groups.ts";
import { needsCredential, samplesOf } from "./samples.ts";
import type { TryData } from "./try-data.ts";

const LABELS = { curl: "With curl", client: "With the client" } as const;

/** How to call an operation, to copy. One is open at a time, which the browser does by itself. */
export function Samples({ operation, origin }: { operation: ReferencedOperation; origin: string }) {
  return (
    <div class="samples">
      {samplesOf(operation, origin).map(({ label, text }, index) => (
        <details name={`samples-${operation.operationId}`} open={index === 0}>
          <summary>{LABELS[label]}</summary>
          <pre tabindex={0}>
            <code>{text}</code>
          </pre>
        </details>
      ))}
    </div>
  );
}

/** Where the script puts a form for a read. Without it there is nothing: the samples do the same. */
export function TryIt({ operation }: { operation: ReferencedOperation }) {
  const { operationId, method, path, parameters = [] } = operation;
  if (method !== "get") return null;
  const data: TryData = {
    operationId,
    path,
    needsCredential: needsCredential(operation),
    parameters: parameters.flatMap((parameter) => {
      const { name, required = false, example, schema } = parameter;
      const place = parameter.in;
      if (place !== "path" && place !== "query") return [];
      return [{ name, in: place, required, example: String(example ?? schema?.example ?? "") }];
    }),
  };
  return <div class="try-it" data-try={JSON.stringify(data)} />;
}
