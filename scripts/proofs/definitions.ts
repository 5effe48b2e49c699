import {
  type Block,
  type Call,
  type Expression,
  effectsOf,
  type FunctionDefinition,
  type Functions,
  type Loop,
  type Statement,
  type Switch,
} from "./yul.ts";

// Restates a function of the compiler's intermediate language in SMT-LIB: what it returns, what it leaves in storage, and
// whether it reverts. What a function reads from elsewhere (other contracts, memory, the transaction) may be anything.

const CALL_DATA = [
  "timestamp",
  "number",
  "chainid",
  "caller",
  "address",
  "callvalue",
  "calldatasize",
];

/** What every claim may use: words, the contract's storage, and one call with all that it meets. */
const COMMON = `
(define-sort Storage () (Array Word Word))
(declare-sort Call 0)
(declare-fun mapping (Word Word) Word)
(declare-fun immutable (Word) Word)
(declare-fun calldataload (Call Word) Word)
${CALL_DATA.map((name) => `(declare-fun ${name} (Call) Word)`).join("\n")}
`;

/** Words as bits, for packing. Small numbers are multiplied and divided as such, which is far shorter for the solver. */
const BITS = `
(set-logic QF_AUFBV)
(define-sort Word () (_ BitVec 256))
(define-fun flag ((b Bool)) Word (ite b (_ bv1 256) (_ bv0 256)))
(define-fun plus ((a Word) (b Word)) Word (bvadd a b))
(define-fun minus ((a Word) (b Word)) Word (bvsub a b))
(define-fun less ((a Word) (b Word)) Bool (bvult a b))
(define-fun low ((a Word)) (_ BitVec 56) ((_ extract 55 0) a))
(define-fun isLow ((a Word)) Bool (= ((_ extract 255 56) a) (_ bv0 200)))
(define-fun isHalf ((a Word)) Bool (= ((_ extract 255 28) a) (_ bv0 228)))
(define-fun times ((a Word) (b Word)) Word
  (ite (and (isHalf a) (isHalf b)) ((_ zero_extend 200) (bvmul (low a) (low b))) (bvmul a b)))
(define-fun quotient ((a Word) (b Word)) Word (ite (= b (_ bv0 256)) (_ bv0 256)
  (ite (and (isLow a) (isLow b)) ((_ zero_extend 200) (bvudiv (low a) (low b))) (bvudiv a b))))
(define-fun remainder ((a Word) (b Word)) Word (ite (= b (_ bv0 256)) (_ bv0 256)
  (ite (and (isLow a) (isLow b)) ((_ zero_extend 200) (bvurem (low a) (low b))) (bvurem a b))))
${COMMON}`;

/** Words as integers from 0 to 2^256 - 1, for division: the solver has no good way with its bits. */
const INTEGERS = `
(define-sort Word () Int)
(define-fun flag ((b Bool)) Word (ite b 1 0))
(define-fun wrapped ((a Int)) Word (mod a ${2n ** 256n}))
(define-fun plus ((a Word) (b Word)) Word (wrapped (+ a b)))
(define-fun minus ((a Word) (b Word)) Word (wrapped (- a b)))
(define-fun less ((a Word) (b Word)) Bool (< a b))
(define-fun quotient ((a Word) (b Word)) Word (ite (= b 0) 0 (div a b)))
(define-fun remainder ((a Word) (b Word)) Word (ite (= b 0) 0 (mod a b)))
${COMMON}`;

/** How the solver sees words. As integers there are no shifts, and `and` only keeps the lowest bits. */
export type WordSort = "bits" | "integers";

export const PRELUDES: Readonly<Record<WordSort, string>> = { bits: BITS, integers: INTEGERS };

const WORDS: Readonly<Record<string, string>> = {
  add: "plus",
  sub: "minus",
  div: "quotient",
  mod: "remainder",
  mul: "times",
  and: "bvand",
  or: "bvor",
  xor: "bvxor",
  not: "bvnot",
};
const SHIFTS: Readonly<Record<string, string>> = { shl: "bvshl", shr: "bvlshr", sar: "bvashr" };
const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "=",
  lt: "less",
  slt: "bvslt",
  sgt: "bvsgt",
};
const OF_THE_CALL = new Set([...CALL_DATA, "calldataload"]);
/** Other contracts' answers, memory, and hashes. A call changes no storage of this contract: see the folder's README. */
const UNKNOWN = new Set(
  `mload keccak256 gas returndatasize extcodesize extcodehash staticcall call tload balance
  selfbalance byte signextend codesize`.split(/\s+/),
);
const WITHOUT_EFFECT = new Set(
  `mstore mstore8 mcopy calldatacopy returndatacopy codecopy tstore pop log0 log1 log2 log3 log4`.split(
    " ",
  ),
);

/** The compiler's code holds something that is not restated here. */
export class NotRestated extends Error {
  override readonly name = "NotRestated";
}

export function word(value: bigint | number | string, sort: WordSort = "bits"): string {
  return sort === "bits" ? `(_ bv${BigInt(value)} 256)` : String(BigInt(value));
}

/** The number of bits that a mask keeps, for a literal of the lowest bits. */
function lowestBits(literal: string): number | undefined {
  const bits = /^\d+$/.test(literal) ? BigInt(literal).toString(2) : "";
  return /^1+$/.test(bits) ? bits.length : undefined;
}

/** One run of a function over values that are not known. */
class Run {
  readonly #steps: { readonly name: string; readonly sort: string; readonly term: string }[] = [];
  readonly #names = new Map<string, string>();
  /** The truth value that a word of 0 or 1 was made from. */
  readonly #flags = new Map<string, string>();
  /** What the last write of a storage wrote. */
  readonly #lastWrites = new Map<string, { readonly slot: string; readonly value: string }>();
  #unknowns = 0;
  readonly #zero: string;
  reverted = "false";

  constructor(
    readonly functions: Functions,
    /** Names of functions that may answer anything, with the names that claims give them. */
    readonly anything: ReadonlyMap<string, string>,
    /** What the names of its terms begin with. */
    readonly title: string,
    /** The call that it runs in. */
    readonly inCall: string,
    public storage: string,
    readonly words: WordSort,
  ) {
    this.#zero = this.#literal(0);
  }

  #literal(value: bigint | number | string): string {
    return word(value, this.words);
  }

  /** The definitions of what these terms need, and of the terms themselves. */
  definitions(
    terms: readonly { readonly name: string; readonly sort: string; readonly term: string }[],
  ) {
    const needed = new Set(terms.flatMap(({ term }) => this.#stepsIn(term)));
    const kept = this.#steps.toReversed().filter(({ name, term }) => {
      if (!needed.has(name)) return false;
      for (const step of this.#stepsIn(term)) needed.add(step);
      return true;
    });
    return [
      ...Array.from(
        { length: this.#unknowns },
        (_, index) => `(declare-const ${this.title}.u${index} Word)`,
      ),
      ...[...kept.toReversed(), ...terms].map(
        ({ name, sort, term }) => `(declare-const ${name} ${sort})\n(assert (= ${name} ${term}))`,
      ),
    ].join("\n");
  }

  #stepsIn(term: string): string[] {
    return term.split(/[\s()]+/).filter((symbol) => symbol.startsWith(`${this.title}.t`));
  }

  call(definition: FunctionDefinition, values: readonly string[], guard: string): string[] {
    const variables = new Map<string, string>();
    definition.parameters?.forEach(({ name }, index) => {
      variables.set(name, values[index] as string);
    });
    for (const { name } of definition.returnVariables ?? []) variables.set(name, this.#zero);
    const frame = { variables, left: "false", entered: guard, name: definition.name };
    this.#block(definition.body, frame, "true");
    return (definition.returnVariables ?? []).map(({ name }) => variables.get(name) as string);
  }

  #word(term: string): string {
    return this.#step(term, "Word");
  }

  #truth(term: string): string {
    return this.#step(term, "Bool");
  }

  #step(term: string, sort: "Word" | "Bool" | "Storage"): string {
    let name = this.#names.get(term);
    if (name === undefined) {
      name = `${this.title}.t${this.#steps.length}`;
      this.#names.set(term, name);
      this.#steps.push({ name, sort, term });
    }
    return name;
  }

  #read(storage: string, slot: string): string {
    const last = this.#lastWrites.get(storage);
    return last?.slot === slot ? last.value : this.#word(`(select ${storage} ${slot})`);
  }

  #unknown(): string {
    return `${this.title}.u${this.#unknowns++}`;
  }

  #flag(truth: string): string {
    const name = this.#word(`(flag ${truth})`);
    this.#flags.set(name, truth);
    return name;
  }

  #isTrue(value: string): string {
    return this.#flags.get(value) ?? this.#truth(`(distinct ${value} ${this.#zero})`);
  }

  #and(...terms: readonly string[]): string {
    const left = [...new Set(terms)].filter((term) => term !== "true");
    if (left.includes("false")) return "false";
    return left.length < 2 ? (left[0] ?? "true") : this.#truth(`(and ${left.join(" ")})`);
  }

  #or(a: string, b: string): string {
    if (a === "false") return b;
    return b === "false" ? a : this.#truth(`(or ${a} ${b})`);
  }

  #not(term: string): string {
    return term === "false" ? "true" : this.#truth(`(not ${term})`);
  }

  #choice(condition: string, yes: string, no: string): string {
    if (condition === "true" || yes === no) return yes;
    return this.#word(`(ite ${condition} ${yes} ${no})`);
  }

  /**
   * Whether a statement runs, once its function was entered. A run that reverted before goes on here
   * with values that mean nothing: what it leaves does not count.
   */
  #live(frame: Frame, guard: string): string {
    return this.#and(guard, this.#not(frame.left));
  }

  #runs(frame: Frame, guard: string): string {
    return this.#and(frame.entered, this.#live(frame, guard));
  }

  #block({ statements }: Block, frame: Frame, guard: string): void {
    for (const statement of statements) this.#statement(statement, frame, guard);
  }

  #statement(statement: Statement, frame: Frame, guard: string): void {
    switch (statement.nodeType) {
      case "YulBlock":
        this.#block(statement, frame, guard);
        return;
      case "YulFunctionDefinition":
        return;
      case "YulVariableDeclaration": {
        const values = statement.value ? this.#values(statement.value, frame, guard) : [];
        statement.variables.forEach(({ name }, index) => {
          frame.variables.set(name, values[index] ?? this.#zero);
        });
        return;
      }
      case "YulAssignment": {
        const values = this.#values(statement.value, frame, guard);
        const live = this.#live(frame, guard);
        statement.variableNames.forEach(({ name }, index) => {
          const old = frame.variables.get(name) as string;
          frame.variables.set(name, this.#choice(live, values[index] as string, old));
        });
        return;
      }
      case "YulIf": {
        const condition = this.#isTrue(this.#value(statement.condition, frame, guard));
        this.#block(statement.body, frame, this.#and(this.#live(frame, guard), condition));
        return;
      }
      case "YulSwitch":
        this.#switch(statement, frame, guard);
        return;
      case "YulForLoop":
        this.#loop(statement, frame, guard);
        return;
      case "YulExpressionStatement":
        this.#values(statement.expression, frame, guard);
        return;
      case "YulLeave":
        frame.left = this.#or(frame.left, this.#live(frame, guard));
        return;
      default:
        throw new NotRestated(`${frame.name} holds ${statement.nodeType}.`);
    }
  }

  #switch({ expression, cases }: Switch, frame: Frame, guard: string): void {
    const value = this.#value(expression, frame, guard);
    const live = this.#live(frame, guard);
    let others = live;
    for (const { value: label, body } of cases) {
      // The default stands last.
      const isCase =
        label === "default"
          ? "true"
          : this.#truth(`(= ${value} ${this.#value(label, frame, guard)})`);
      this.#block(body, frame, this.#and(others, isCase));
      others = this.#and(others, this.#not(isCase === "true" ? "false" : isCase));
    }
  }

  /** What a loop assigns may be anything afterwards, and it may revert. */
  #loop(loop: Loop, frame: Frame, guard: string): void {
    const { assigned, called, leaves } = effectsOf(loop, this.functions);
    if (leaves || called.has("sstore")) {
      throw new NotRestated(`${frame.name} has a loop that writes storage or leaves.`);
    }
    const live = this.#live(frame, guard);
    for (const { name } of assigned) {
      const old = frame.variables.get(name);
      if (old !== undefined) frame.variables.set(name, this.#choice(live, this.#unknown(), old));
    }
    this.#mayRevert(this.#runs(frame, guard));
  }

  #mayRevert(runs: string): void {
    this.reverted = this.#or(this.reverted, this.#and(runs, this.#isTrue(this.#unknown())));
  }

  #value(expression: Expression, frame: Frame, guard: string): string {
    const [value] = this.#values(expression, frame, guard);
    if (value === undefined) throw new NotRestated(`${frame.name} uses what gives no value.`);
    return value;
  }

  #values(expression: Expression, frame: Frame, guard: string): string[] {
    if (expression.nodeType === "YulLiteral") {
      if (expression.kind === "number") return [this.#literal(expression.value)];
      // A text is only ever written to memory.
      return [
        expression.kind === "bool"
          ? this.#literal(expression.value === "true" ? 1 : 0)
          : this.#unknown(),
      ];
    }
    if (expression.nodeType === "YulIdentifier") {
      return [frame.variables.get(expression.name) as string];
    }
    return this.#called(expression, frame, guard);
  }

  #called(call: Call, frame: Frame, guard: string): string[] {
    const { name } = call.functionName;
    const text = call.arguments[0];
    if (name === "loadimmutable" && text?.nodeType === "YulLiteral") {
      return [this.#word(`(immutable ${this.#literal(text.value)})`)];
    }
    // The address of a library whose functions are all internal: it is never called.
    if (name === "linkersymbol") return [this.#unknown()];
    // The compiler evaluates arguments from the last to the first.
    const values = call.arguments
      .toReversed()
      .map((argument) => this.#value(argument, frame, guard))
      .toReversed();
    if (name.startsWith("mapping_index_access_")) return [this.#place(name, values)];
    const anything = this.anything.get(name);
    const definition = this.functions.get(name);
    if (anything !== undefined && definition?.returnVariables === undefined) {
      this.#mayRevert(this.#runs(frame, guard));
      return [];
    }
    if (anything !== undefined) return [this.#word(`(${anything} ${values.join(" ")})`)];
    if (definition !== undefined) return this.call(definition, values, this.#runs(frame, guard));
    return this.#builtin(name, values, frame, guard);
  }

  /** Where a mapping keeps the value of a key: somewhere, the same for the same key. */
  #place(name: string, [slot = "", key = ""]: readonly string[]): string {
    const [, bits = name.endsWith("_of_t_address") ? "160" : "256"] =
      name.match(/_of_t_uint(\d+)$/) ?? [];
    if (!/_of_t_(uint\d+|address|bytes32)$/.test(name)) throw new NotRestated(`${name}.`);
    const mask = this.#literal(2n ** BigInt(bits) - 1n);
    return this.#word(`(mapping ${slot} ${this.#word(`(bvand ${key} ${mask})`)})`);
  }

  /** Says how many bits a remainder has, so that what is made from it stays short. */
  #remainder(a: string, b: string): string {
    const remainder = this.#word(`(remainder ${a} ${b})`);
    const [, divisor] = b.match(/^\(_ bv(\d+) 256\)$/) ?? [];
    if (divisor === undefined || divisor === "0") return remainder;
    const bits = BigInt(divisor).toString(2).length;
    return this.#word(`((_ zero_extend ${256 - bits}) ((_ extract ${bits - 1} 0) ${remainder}))`);
  }

  #builtin(name: string, values: readonly string[], frame: Frame, guard: string): string[] {
    const [a = "", b = ""] = values;
    if (name === "add" && b === this.#zero) return [a];
    // Shorter for the solver: a product with 0 or 1.
    const factor = name === "mul" ? this.#flags.get(b) : undefined;
    if (factor !== undefined) return [this.#choice(factor, a, this.#zero)];
    const kept = name === "and" ? lowestBits(b) : undefined;
    if (kept !== undefined) return [this.#word(`(mod ${a} ${2n ** BigInt(kept)})`)];
    if (name === "mod" && this.words === "bits") return [this.#remainder(a, b)];
    if (name === "gt") return this.#builtin("lt", [b, a], frame, guard);
    if (name in WORDS) return [this.#word(`(${WORDS[name]} ${values.join(" ")})`)];
    if (name in SHIFTS) return [this.#word(`(${SHIFTS[name]} ${b} ${a})`)];
    if (name in COMPARISONS) return [this.#flag(this.#truth(`(${COMPARISONS[name]} ${a} ${b})`))];
    if (name === "iszero") return [this.#flag(this.#not(this.#isTrue(a)))];
    if (name === "sload") return [this.#read(this.storage, a)];
    if (OF_THE_CALL.has(name)) return [this.#word(`(${[name, this.inCall, ...values].join(" ")})`)];
    if (UNKNOWN.has(name)) return [this.#unknown()];
    if (WITHOUT_EFFECT.has(name)) return [];
    if (name === "sstore") {
      const value = this.#choice(this.#runs(frame, guard), b, this.#read(this.storage, a));
      const before = this.storage;
      this.storage = this.#step(`(store ${before} ${a} ${value})`, "Storage");
      this.#lastWrites.set(this.storage, { slot: a, value });
      return [];
    }
    if (name === "revert" || name === "invalid") {
      this.reverted = this.#or(this.reverted, this.#runs(frame, guard));
      return [];
    }
    throw new NotRestated(`${frame.name} calls ${name}.`);
  }
}

interface Frame {
  readonly variables: Map<string, string>;
  /** Whether it ran a `leave`. */
  left: string;
  /** Whether it was called at all. */
  readonly entered: string;
  readonly name: string;
}

/** `fun__write_10651` and `var_spent_123` as the source has them; empty for all else. */
function plainName(name: string): string {
  const [, plain = ""] = name.match(/^(?:fun|var)_(.*)_\d+$/) ?? [];
  return plain;
}

/** The one function of this name. @throws NotRestated */
export function functionNamed(functions: Functions, name: string): FunctionDefinition {
  const found = [...functions.values()].filter(
    (one) => one.name.startsWith("fun_") && plainName(one.name) === name,
  );
  if (found.length !== 1 || found[0] === undefined) {
    throw new NotRestated(`There are ${found.length} functions with the name ${name}.`);
  }
  return found[0];
}

/** What a claim calls a run of a function, and what it runs on: names of the claim's own values. */
export interface WantedRun {
  readonly title: string;
  readonly call: string;
  readonly storage: string;
  readonly values: readonly string[];
}

/**
 * Definitions of what a run gives: `<title>.<return value>`, `<title>.storage` afterwards and
 * `<title>.reverts`. A return value without a name is `result`.
 */
export function definitionsOf(
  functions: Functions,
  definition: FunctionDefinition,
  { title, call, storage, values }: WantedRun,
  anything: ReadonlyMap<string, string>,
  words: WordSort,
): string {
  const { parameters = [], returnVariables = [] } = definition;
  if (values.length !== parameters.length) {
    throw new NotRestated(
      `${definition.name} takes ${parameters.length} values, not ${values.length}.`,
    );
  }
  const run = new Run(functions, anything, title, call, storage, words);
  const results = run.call(definition, values, "true");
  return run.definitions([
    ...returnVariables.map(({ name }, index) => ({
      name: `${title}.${plainName(name) || "result"}`,
      sort: "Word",
      term: results[index] as string,
    })),
    { name: `${title}.storage`, sort: "Storage", term: run.storage },
    { name: `${title}.reverts`, sort: "Bool", term: run.reverted },
  ]);
}
