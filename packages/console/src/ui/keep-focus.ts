import { focusRowAt, type RowPlace, rowPlaceOf } from "./row-place.ts";

/** The last focused element and its surroundings, noted before it is removed. */
interface Place {
  readonly element: Element;
  readonly row: RowPlace | undefined;
  /** Ancestors, nearest first. */
  readonly around: readonly Element[];
}

const CAN_HAVE_FOCUS = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";

/**
 * Keeps the focus off the body: when the focused element is removed or disabled (a row after a decision, the button of the last
 * page, another room), the focus moves to the row now in its place, to something near, or to the page itself. Returns the
 * function that ends this.
 */
export function keepFocus(): () => void {
  let place: Place | undefined;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element)
      place = { element: target, row: rowPlaceOf(target), around: ancestorsOf(target) };
  };
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const restore = () => {
    // A dialog keeps the focus while it is open, and returns it itself.
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

/** The first control in the nearest ancestor that is still in the page. */
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
