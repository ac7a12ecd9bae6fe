import { focusRowAt, type RowPlace, rowPlaceOf } from "./row-place.ts";

/** Where the focus was last, and what is near it: known before it goes away. */
interface Place {
  readonly element: Element;
  readonly row: RowPlace | undefined;
  /** From the nearest on. */
  readonly around: readonly Element[];
}

const CAN_HAVE_FOCUS = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";

/**
 * The focus never falls to the body: where the element that has it is removed or switched off (a row after a decision, the
 * last page's button, another room), it goes to the row that stands there now, to something near, or to the page itself.
 * Returns what stops it.
 */
export function keepFocus(): () => void {
  let place: Place | undefined;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element)
      place = { element: target, row: rowPlaceOf(target), around: ancestorsOf(target) };
  };
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const restore = () => {
    // A dialog gives the focus back itself, and keeps it as long as it is open.
    if (!place || !isLost() || document.querySelector("dialog[open]")) return;
    if (place.element.isConnected && !place.element.matches(":disabled")) return;
    if (place.row && focusRowAt(place.row)) return;
    nearest(place)?.focus();
    if (isLost()) document.getElementById("main")?.focus();
  };
  const changes = new MutationObserver(restore);
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  document.addEventListener("focusin", note);
  return () => {
    changes.disconnect();
    document.removeEventListener("focusin", note);
  };
}

/** The first control of the smallest part that is left of what was around it, inside of the page. */
function nearest({ around }: Place): HTMLElement | undefined {
  const left = around.filter((each) => each.isConnected && each.closest("main") && !each.matches("main"));
  for (const each of left) {
    const found = each.querySelector<HTMLElement>(CAN_HAVE_FOCUS);
    if (found) return found;
  }
  return undefined;
}

function ancestorsOf(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let each = element.parentElement; each; each = each.parentElement) found.push(each);
  return found;
}
