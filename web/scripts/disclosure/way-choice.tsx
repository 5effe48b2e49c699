import { render } from "hono/jsx/dom";
import { byId, notice } from "../lib/dom.tsx";
import type { Way } from "./decisions.ts";

/** The choice between the ways in which the values can be sent, in the element with the id `areaId`. */
export function wayChoice(areaId: string, words: Readonly<Record<Way, string>>) {
  let chosen: Way | null = null;

  function Radio({ way }: { way: Way }) {
    const choose = () => {
      chosen = way;
    };
    const id = `way-${way}`;
    return (
      <div class="choice">
        <input type="radio" name="way" id={id} checked={way === chosen} onChange={choose} />
        <label for={id}>{words[way]}</label>
      </div>
    );
  }

  return {
    /** Null when no way fits. */
    chosen: () => chosen,
    /** Offers these ways; nothing when no value is sent. */
    offer(ways: readonly Way[], sendsValues: boolean): void {
      if (chosen === null || !ways.includes(chosen)) chosen = ways[0] ?? null;
      const legend = <legend>How the values are sent</legend>;
      const radios = ways.map((way) => <Radio way={way} />);
      const choice = [legend, ways.length > 0 ? radios : noCommonWay()];
      render(sendsValues ? choice : null, byId(areaId));
    },
  };
}

function noCommonWay() {
  const why =
    "One of these fields goes through the service only, another one only directly. Keep one of them closed.";
  return notice("caution", "No way fits all of these fields", why);
}
