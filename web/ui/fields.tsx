import type { Child } from "hono/jsx";

interface FieldProps {
  /** Also the id of its element. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Child;
  readonly value?: string;
  /** Most characters; shown as a live count. */
  readonly max?: number;
  readonly disabled?: boolean;
  /** How the script for owners reads it. A name such as `data.title` is a member of `data`. Default: as text, which must not be empty. */
  readonly reads?: FieldReading;
}

/**
 * `lines` is a list, `pairs` a list of `{type, value}` from lines such as `github heron`, `services` one of `{name,
 * endpoint}`, `json` what
 * the text stands for, `number` a number, `any` text that may be empty. An `amount` is in units of the stablecoin, a `day` ends at midnight UTC. An `optional` one may be
 * empty and is left out then. `own` is not part of a request.
 */
export type FieldReading =
  | "amount"
  | "optional-amount"
  | "optional"
  | "text"
  | "day"
  | "lines"
  | "pairs"
  | "services"
  | "json"
  | "optional-json"
  | "number"
  | "any"
  | "own";

function Labelled({ field, children }: { field: FieldProps; children: Child }) {
  const { name, label, hint, max, value = "" } = field;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      <p class="hint" id={`${name}-hint`}>
        {hint}
        {max === undefined ? null : (
          <span class="counter" data-counts={name}>
            {`${value.length} of ${max} characters`}
          </span>
        )}
      </p>
    </div>
  );
}

/** What the elements of all fields have. */
function control({ name, max, disabled = false, reads }: FieldProps) {
  return {
    class: "control",
    name,
    id: name,
    disabled,
    maxlength: max,
    "data-reads": reads,
    "aria-describedby": `${name}-hint`,
  };
}

/** One line of text. */
export function TextField(
  props: FieldProps & {
    readonly type?: "text" | "url" | "date";
    /** Most characters, where no count is shown. */
    readonly limit?: number;
  },
) {
  const { type = "text", value = "", limit = props.max } = props;
  return (
    <Labelled field={props}>
      <input {...control(props)} type={type} value={value} maxlength={limit} autocomplete="off" />
    </Labelled>
  );
}

/** One or more files of this device. */
export function FileField(props: FieldProps & { readonly multiple?: boolean }) {
  return (
    <Labelled field={props}>
      <input {...control(props)} type="file" multiple={props.multiple ?? false} />
    </Labelled>
  );
}

/** Several lines of text. */
export function TextArea(props: FieldProps & { readonly rows: number }) {
  return (
    <Labelled field={props}>
      <textarea {...control(props)} rows={props.rows}>
        {props.value ?? ""}
      </textarea>
    </Labelled>
  );
}

/** One of a few. */
export function Choice(
  props: FieldProps & { readonly options: readonly { value: string; label: string }[] },
) {
  return (
    <Labelled field={props}>
      <select {...control(props)}>
        {props.options.map(({ value, label }) => (
          <option value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Fields that most people leave as they are, folded under what they are about. */
export function Collapsible({
  title,
  note,
  children,
}: {
  title: string;
  note: string;
  children?: Child;
}) {
  return (
    <details class="fold">
      <summary>
        {title} <span class="fold-note">{note}</span>
      </summary>
      <fieldset>
        <legend class="visually-hidden">{title}</legend>
        {children}
      </fieldset>
    </details>
  );
}

/** Yes or no. */
export function Checkbox({
  name,
  label,
  hint,
  checked,
  reads,
  list,
}: {
  name: string;
  label: string;
  hint?: Child;
  checked: boolean;
  reads?: FieldReading;
  /** The list of the request that its name joins when it is ticked. Default: it is yes or no. */
  list?: string;
}) {
  const described = hint === undefined ? {} : { "aria-describedby": `${name}-hint` };
  return (
    <div class="field tick">
      <input
        type="checkbox"
        id={name}
        name={name}
        checked={checked}
        data-reads={reads}
        value={list === undefined ? undefined : name}
        data-list={list}
        {...described}
      />
      <label for={name}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
