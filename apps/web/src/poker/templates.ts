// Spots to begin with: each is one click from a solution.
import type { SpotForm, StreetForm } from "../types";

export interface Template {
  key: string;
  title: string;
  note: string; // what it is, and how long it takes
  name: string;
  target: string;
  form: SpotForm;
}

function street(oop: Partial<StreetForm["oop"]>, ip: Partial<StreetForm["ip"]>, most: number): StreetForm {
  const none = { bet: "", donk: null, raise: ["a"] };
  return { max_raises: most, oop: { ...none, ...oop }, ip: { ...none, ...ip } };
}
const both = (bet: string, raise: string) => street({ bet, raise: [raise] }, { bet, raise: [raise] }, 255);

const plain: Pick<SpotForm, "rake" | "tree" | "locks"> = {
  rake: { percent: 0, cap: 0 },
  tree: { add_allin: 0, force_allin: 0, merge: 0, min_bet: 1, remove: [], symmetry: true },
  locks: [],
};

const wide = {
  oop: "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
  ip: "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
};

export const templates: Template[] = [
  {
    key: "river",
    title: "River",
    note: "Many bet sizes, nothing left to be dealt. Solved at once.",
    name: "my-river",
    target: "0.1%",
    form: {
      ...plain,
      board: "Td9d6hQc2s",
      pot: 200,
      stack: [900, 900],
      range: wide,
      streets: [null, null, both("33%,75%,150%,a", "50%,100%,a")],
    },
  },
  {
    key: "turn",
    title: "Turn",
    note: "Three sizes on turn and river, 48 rivers. A few seconds.",
    name: "my-turn",
    target: "0.2%",
    form: {
      ...plain,
      board: "Td9d6hQc",
      pot: 200,
      stack: [900, 900],
      range: wide,
      streets: [null, both("33%,75%,a", "50%,a"), both("33%,75%,a", "50%,a")],
    },
  },
  {
    key: "flop",
    title: "Flop, single-raised pot",
    note: "Cutoff against big blind, chips of a tenth of a blind. Half a minute and 0.6 GiB.",
    name: "my-flop",
    target: "0.5%",
    form: {
      ...plain,
      tree: { ...plain.tree, add_allin: 1, force_allin: 0.2 },
      board: "Qs7s2d",
      pot: 55,
      stack: [975, 975],
      range: {
        oop: "JJ-22,AJs-A2s,K8s+,Q9s+,J8s+,T8s+,97s+,86s+,75s+,64s+,54s,AJo-ATo,KQo-KJo,QJo",
        ip: "22+,A2s+,K7s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,A9o+,KTo+,QTo+,JTo",
      },
      streets: [
        street({ raise: ["60%"] }, { bet: "33%,75%", raise: ["60%"] }, 2),
        street({ bet: "50%", donk: "", raise: ["60%"] }, { bet: "66%", raise: ["60%"] }, 2),
        street({ bet: "75%", donk: "" }, { bet: "75%" }, 2),
      ],
    },
  },
];
