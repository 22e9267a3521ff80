#!/usr/bin/python3
"""
Makes calls of small worlds in which comparisons go wrong easily, for second-reader.py: one folder, a file a world.

    second-reader-worlds.py FOLDER

Import each into a project with `--evaluation imported` (clock: `--timezone Europe/Berlin`).
"""
import json
import sys
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

START, CHANGE, DAYS = datetime(2026, 3, 2), datetime(2026, 10, 1), 260
SIGNALS = [f'sig.made_{i}' for i in range(24)]
REASONS = ['billing', 'returns', 'delivery', 'outage']
GUIDANCE = {'key': 'guide.made', 'kind': 'opportunity', 'priority': 'p1', 'text': 'Made up'}
PARTS = ['opening', 'process', 'closing']
EVALUATION = {
    'evaluator': 'made',
    'rubric': 'made',
    'rubric_version': '1',
    'evaluated_at': '2026-11-01T00:00:00Z',
}


def world(
    seed,
    zone='UTC',
    start=START,
    agents=12,
    a_day=8,
    drift=0.1,
    works=lambda agent, after: True,
    name=lambda agent: (f'agent-{agent}', f'Agent {agent}'),
    score=None,
    fall=lambda agent: 0.3,
):
    """
    Calls of agents who differ and drift from month to month. At CHANGE a third of the signals, reasons and scores do.
    works: whether an agent takes calls before or after the change; name: id and name; score: instead of one made up of the
    agent's skill; fall: of an agent's scores
    """
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, 0.5, agents)
    taste = rng.normal(0, 0.5, (agents, len(SIGNALS)))
    usual = rng.uniform(-3, 1, len(SIGNALS))
    for day in range((START - start).days + DAYS):
        date = start + timedelta(day)
        after = date >= CHANGE
        if date.day == 1:
            skill = skill + rng.normal(0, drift, agents)
            taste = taste + rng.normal(0, drift, taste.shape)
        on_duty = [agent for agent in range(agents) if works(agent, after)]
        for call in range(rng.poisson(a_day)):
            agent = int(rng.choice(on_duty))
            local = (date + timedelta(seconds=int(rng.integers(86400)))).replace(tzinfo=ZoneInfo(zone))
            grade = score(rng) if score else 4 + skill[agent] + rng.normal(0, 0.6) - (fall(agent) if after else 0)
            rate = 1 / (1 + np.exp(-(usual + taste[agent] + (np.arange(len(SIGNALS)) % 3 == 0) * after * 0.8)))
            agent_id, agent_name = name(agent)
            record = {
                'session_id': f'{seed}-{day}-{call}',
                'agent_id': agent_id,
                'agent_name': agent_name,
                'created_dt': datetime.fromtimestamp(local.timestamp(), ZoneInfo('UTC')).isoformat(),
                'interaction_driver': str(rng.choice(REASONS, p=[0.3, 0.3, 0.2, 0.2] if after else [0.4, 0.3, 0.25, 0.05])),
            }
            if rng.random() < 0.9:
                record['score'] = round(float(np.clip(grade, 1, 5)), 1)
            if rng.random() < 0.6:
                record['predicted_csat'] = round(float(np.clip(grade + rng.normal(0, 0.3), 1, 5)), 2)
            if rng.random() < 0.95:
                record['evaluation'] = EVALUATION
                shown = rng.random(len(SIGNALS)) < rate
                record['signals'] = [
                    {'key': key, 'state': 'present' if shown[i] else 'absent'} for i, key in enumerate(SIGNALS)
                ]
                # Some calls carry it twice.
                record['guidance'] = [GUIDANCE] * int(rng.integers(3))
                record['dimensions'] = [{'key': 'mood', 'value': 'angry' if rng.random() < 0.2 + 0.15 * after else 'calm'}]
                record['scores'] = [
                    {'key': key, 'value': round(float(np.clip(grade + rng.normal(0, 0.5), 1, 5)), 1), 'range': [1, 5]}
                    for key in PARTS
                ]
            yield record


WORLDS = {
    'steady': world(1),
    'replaced': world(2, works=lambda agent, after: agent >= 4 if after else agent < 8, fall=lambda agent: 0.4),
    'one': world(3, agents=1, a_day=4, fall=lambda agent: 0.6),
    'nobody': world(4, works=lambda agent, after: (agent >= 6) == after),
    'new': world(5, start=datetime(2026, 9, 1)),
    # Two agents of one name, and two of one id.
    'namesakes': world(
        6,
        agents=4,
        name=lambda agent: (f'id-{agent % 3}', ['Ana', 'Ana', 'Bo', 'Cy'][agent]),
        fall=lambda agent: [1, -1, 0, 1][agent],
    ),
    'equal': world(7, agents=6, score=lambda rng: 5 if rng.random() < 0.97 else 3),
    'clock': world(8, zone='Europe/Berlin', agents=5),
    'few': world(9, agents=4, a_day=1, fall=lambda agent: 1),
    'many': world(10, agents=70, a_day=30, fall=lambda agent: 0.8 if agent < 3 else 0),
    'three': world(11, agents=3, a_day=20, drift=0.3),
    'carried': world(12, agents=6, fall=lambda agent: 1.5 if agent == 2 else 0),
}

if __name__ == '__main__':
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for of, calls in WORLDS.items():
        (folder / f'{of}.ndjson').write_text(''.join(json.dumps(call) + '\n' for call in calls), encoding='utf-8')
