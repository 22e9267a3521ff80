#!/usr/bin/python3
"""
Reads what a service answers to detect_changes and get_agent_performance, and recomputes every figure from the calls alone.

    earshot export --project shop --only calls calls.ndjson
    EARSHOT_TOKEN=$(earshot admin-token) second-reader.py calls.ndjson --project shop --url http://127.0.0.1:8000 \
        --period 'last month' --period 2026-W10

It shares no code with the service: it follows docs/statistics.md ("To recompute it"), and quantiles, distributions, intervals of
shares, corrections and inverses are those of scipy and statsmodels (Debian: python3-scipy, python3-statsmodels). It says how many
figures it compared and names each that differs by more than its rounding; then it ends with 1.
"""
import argparse
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

np.seterr(all='ignore')

MS = timedelta(milliseconds=1)
SHARES = ('signal', 'guidance', 'dimension', 'driver')


def instant(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00'))


class Call:
    """What of a call is measured: `shares` it counts for, `values` it has."""

    def __init__(self, record):
        self.at = instant(record['created_dt'])
        self.agent = (record['agent_name'], record.get('agent_id', ''))
        self.evaluated = 'evaluation' in record
        self.shares = set()
        if 'interaction_driver' in record:
            self.shares.add(('driver', record['interaction_driver']))
        if self.evaluated:
            present = (s['key'] for s in record.get('signals', []) if s['state'] == 'present')
            self.shares |= {('signal', key) for key in present}
            self.shares |= {('guidance', one['key']) for one in record.get('guidance', [])}
            self.shares |= {('dimension', f"{one['key']}={one['value']}") for one in record.get('dimensions', [])}
        self.values = {('score', key): record[key] for key in ('score', 'predicted_csat') if key in record}
        self.values.update({('score', one['key']): one['value'] for one in record.get('scores', [])})
        self.lift = record.get('outcome_lift', {}).get('lift')


# Periods. A span is (from, until), the end left out; a side of a comparison is one span or several.


def days_between(start, end):
    """Days of the calendar, one that has begun too."""
    days = (end.replace(tzinfo=None) - start.replace(tzinfo=None)).days
    while (start + timedelta(days)).timestamp() > end.timestamp():
        days -= 1
    return days + ((start + timedelta(days)).timestamp() < end.timestamp())


def shifted(spans, days):
    return [tuple(t - timedelta(days) for t in span) for span in spans]


def earlier_pairs(window, parts, first):
    """Pairs of sides as long and as far apart as these, oldest last; at most six."""
    days = max(1, days_between(*window))
    begin, end = parts[0][0], parts[-1][1]
    seconds = lambda a, b: b.timestamp() - a.timestamp()
    before = end.timestamp() <= window[0].timestamp()
    alike = abs(seconds(begin, end) - seconds(*window)) <= 0.2 * seconds(*window)
    apart = days_between(begin, window[0]) if before else 0
    step = max(days, apart) if before and alike and apart <= 100 else days
    limit = window[0].timestamp() if before else min(window[0].timestamp(), begin.timestamp())
    pairs, shift = [], step
    while len(pairs) < 6:
        pair = shifted([window], shift), shifted(parts, shift)
        spans = pair[0] + pair[1]
        if any(start.timestamp() < first for start, _ in spans):
            break
        if all(end.timestamp() <= limit for _, end in spans):
            pairs.append(pair)
        shift += step
    return pairs


def thirds(span):
    """A span of three days and more, cut at midnights."""
    days = days_between(*span)
    if days < 3:
        return []
    midnight = span[0].replace(hour=0, minute=0, second=0, microsecond=0)
    cuts = [midnight + timedelta(int(np.floor(days * third / 3 + 0.5))) for third in (1, 2)]
    return list(zip([span[0], *cuts], [*cuts, span[1]]))


# Variances beyond chance.


def usual_spread(expected, observed, cell):
    """The cells, and their sums of weights and of weighted squared differences beyond what chance makes of them."""
    theta = 0
    for _ in range(4):
        w = 1 / (expected + max(theta, 0)) ** 2
        theta = np.sum(w * (observed - expected)) / np.sum(w)
    w = 1 / (expected + max(theta, 0)) ** 2
    numbers, place = np.unique(cell, return_inverse=True)
    return numbers, np.bincount(place, w), np.bincount(place, w * (observed - expected))


def estimate(weight, excess):
    """Theta+ and the variance of theta, from the sums of cells."""
    cells = len(weight)
    if cells == 0:
        return 0.0, 0.0
    theta = excess.sum() / weight.sum()
    seen = cells / (cells - 1) * np.sum((excess - theta * weight) ** 2) if cells > 1 else 0
    v = 1.5 * max(seen, 2 * theta**2 * np.sum(weight**2)) / weight.sum() ** 2
    if v == 0:
        return max(theta, 0.0), 0.0
    s = np.sqrt(v)
    return theta + s * np.exp(stats.norm.logpdf(theta / s) - stats.norm.logcdf(theta / s)), v


def prior_freedom(ratio, freedom):
    """Smyth (2004), section 6.2."""
    told = (ratio > 0) & (freedom > 0)
    if told.sum() < 10:
        return 20.0
    half = freedom[told] / 2
    logs = np.log(ratio[told]) - special.digamma(half) + np.log(half)
    left = np.var(logs, ddof=1) - np.mean(special.polygamma(1, half))
    if left <= 0:
        return 60.0
    return float(np.clip(2 * optimize.brentq(lambda x: special.polygamma(1, x) - left, 1e-6, 1e9), 4, 60))


def factor(ratio, freedom, prior):
    return np.maximum(1, (prior + freedom * ratio) / (prior + freedom))


class Pairs:
    """One outcome: arrays [pair, agent], the present pair first."""

    def __init__(self, sums, columns, share):
        """sums: [column, agent, (n, S, Q)]; columns: (later, earlier) of each pair."""
        later, earlier = (np.array(one) for one in zip(*columns))
        within = np.where(sums[..., 0] > 1, np.maximum(0, sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0]), 0).sum(1)
        freedom = np.maximum(0, sums[..., 0] - 1).sum(1)
        used = np.unique([later, earlier])
        self.sigma_freedom = freedom[used].sum()
        (n1, S1, Q1), (n0, S0, Q0) = (np.moveaxis(sums[one], -1, 0) for one in (later, earlier))
        self.n1, self.n0, self.occurred = n1, n0, (S1, S0) if share else (n1, n0)
        N = n1 + n0
        self.both = (n1 > 0) & (n0 > 0)
        self.c = np.where(self.both, n1 * n0 / N, 0)
        self.d = np.where(self.both, S1 / n1 - S0 / n0, 0)
        self.V = np.where(self.both, n1 * n0 / (N * (N - 1)) * np.maximum(0, Q1 + Q0 - (S1 + S0) ** 2 / N), 0)
        if share:
            p = np.nan_to_num((S1 + S0).sum(1) / N.sum(1))
            self.information = p * (1 - p)
            squares = within[later] + within[earlier]
            self.sigma2 = np.where(squares > 0, squares / (freedom[later] + freedom[earlier]), self.information)
            self.scale = self.information**2
        else:
            self.information = np.full(len(later), np.inf)
            self.sigma2 = np.full(len(later), within[used].sum() / max(1, self.sigma_freedom))
            self.scale = self.sigma2

    def squared_differences(self):
        """What chance makes of squared differences and what they are, in units of the scale, and their cells."""
        total = self.c[0].sum()
        h = np.ones_like(self.c)
        d = self.d.copy()
        h[0] = 1 - self.c[0] / total
        d[0] -= np.sum(self.c[0] * self.d[0]) / total
        use = (self.c >= 1) & (h > 0.05) & (self.information[:, None] * self.n1 > 2) & (self.scale[:, None] > 0)
        expected = self.sigma2[:, None] / (self.c * self.scale[:, None])
        observed = d**2 / (h * self.scale[:, None])
        cell = np.arange(self.c.size).reshape(self.c.shape)
        return expected[use], observed[use], cell[use]

    def ratio(self, theta, without=None):
        """How the outcome moved in earlier pairs, as a part of what is usual, and the degrees of freedom of that."""
        use = (self.c[1:] >= 1) & (self.scale[1:, None] > 0)
        if without is not None:
            use[:, without] = False
        if not use.any():
            return 1.0, 0.0
        one = self.d[1:] ** 2 / (self.sigma2[1:, None] / self.c[1:] + theta * self.scale[1:, None])
        told = min(1, np.mean((self.information[1:, None] * self.c[1:])[use]) / 3)
        return np.mean(one[use]), 2 / 3 * use.sum() * told

    def weights(self, pair, theta):
        c = self.c[pair]
        return np.where(c > 0, 1 / (self.sigma2[pair] / c + theta * self.scale[pair]), 0)


class Family:
    """All outcomes of one kind, shares or means: what is usual is pooled over them."""

    def __init__(self, outcomes, history):
        self.outcomes, self.history = outcomes, history
        self.agents = next(iter(outcomes.values())).c.shape[1] if outcomes else 0
        several = [one.squared_differences() for one in outcomes.values()]
        self.cells = usual_spread(*(np.concatenate(one) for one in zip(*several))) if several else ((), (), ())
        self.theta, self.v = estimate(*self.cells[1:])
        ratios = {key: one.ratio(self.theta) for key, one in outcomes.items()}
        self.prior = prior_freedom(*np.array(list(ratios.values())).T) if ratios else 20.0
        self.own = {key: (*ratio, factor(*ratio, self.prior)) for key, ratio in ratios.items()}
        # The team as a whole, from the weighted means of earlier pairs.
        self.moves, expected, observed, cell = {}, [], [], []
        for key, one in outcomes.items():
            F = self.own[key][2]
            self.moves[key] = moves = []
            for j in range(1, len(one.c)):
                w = one.weights(j, self.theta)
                if w.sum() == 0 or one.scale[j] == 0:
                    continue
                E, S = np.sum(w * one.d[j]) / w.sum(), 1 / w.sum()
                moves.append((E**2, S, one.scale[j]))
                expected.append(F * S / one.scale[j])
                observed.append(E**2 / one.scale[j])
                cell.append(j)
        team = usual_spread(*(np.array(one) for one in (expected, observed, cell))) if cell else ((), (), ())
        self.psi, self.psi_v = estimate(*team[1:])
        self.team_known = history and len(team[0]) >= 2

    def judged(self, key, delta, Vs, w2, correction, theta, v, nu, F):
        """The test of a difference; w2 is the sum of squared weights."""
        one = self.outcomes[key]
        scale, share = one.scale[0], np.isfinite(one.information[0])
        sigma = 0 if share else 2 * Vs**2 / max(1, one.sigma_freedom)
        usual = Vs + theta * scale * w2

        def freedom(F, SE2, psi):
            own = (((F - 1) / F) ** 2 if self.team_known else 1) / (self.prior + nu)
            return 2 * SE2**2 / (F**2 * ((w2 * scale) ** 2 * v + sigma) + 2 * SE2**2 * own + psi)

        beyond = max(0, abs(delta) - correction)
        SE2 = F * usual
        f = freedom(F, SE2, 0)
        moves = self.moves[key]
        team_ratio = np.mean([E2 / (F * S + self.psi * s) for E2, S, s in moves]) if moves else 1
        team_F = F * factor(team_ratio, 2 / 3 * len(moves), 20)
        team_SE2 = team_F * (usual + self.psi * scale)
        team_f = freedom(team_F, team_SE2, team_F**2 * scale**2 * self.psi_v)
        return {
            'delta': delta,
            'p_value': 2 * stats.t.sf(beyond / np.sqrt(SE2), min(f, 1e5)),
            'team_p': 2 * stats.t.sf(beyond / np.sqrt(team_SE2), min(team_f, 1e5)) if self.team_known else 1.0,
            'SE': np.sqrt(SE2),
            'freedom': min(f, 1e5),
            'usual_move': 1.96 * np.sqrt(SE2 + self.psi * scale),
        }

    def test(self, key, least):
        """The difference of all agents with calls in both periods; None where it is not tested."""
        one = self.outcomes[key]
        both = one.both[0]
        counts = [occurred[0][both].sum() for occurred in one.occurred]
        share = np.isfinite(one.information[0])
        if max(counts) < least or (not share and min(counts) < 5) or one.scale[0] == 0:
            return None
        w = one.weights(0, self.theta)
        w = w / w.sum()
        delta = np.sum(w * one.d[0])
        Vs = np.sum((w**2 * one.V[0] / one.c[0] ** 2)[both])
        correction = 0.5 / one.c[0].sum() if share else 0
        found = self.judged(key, delta, Vs, np.sum(w**2), correction, self.theta, self.v, *self.own[key][1:])
        found['agents_compared'] = int(both.sum())
        found['calls_compared_share'] = one.n1[0][both].sum() / one.n1[0].sum()
        found['carrier'] = self.carrier(key, w, delta)
        return found

    def carrier(self, key, w, delta):
        one = self.outcomes[key]
        part = w * one.d[0]
        most = int(np.argmax(np.where(one.both[0], part * np.sign(delta), -np.inf)))
        if one.both[0].sum() < 2 or part[most] / delta < 0.5 or w[most] >= 1:
            return None
        others = one.weights(0, self.theta)
        others[most] = 0
        rest = (delta - part[most]) / (1 - w[most])
        return most if abs(rest) < 1.96 * np.sqrt(self.own[key][2] / others.sum()) else None

    def test_agent(self, key, agent, least):
        """The mean of one agent, beside how the others moved in earlier pairs."""
        one = self.outcomes[key]
        n1, n0, c = one.n1[0][agent], one.n0[0][agent], one.c[0][agent]
        if min(n1, n0) < 5 or max(n1, n0) < least or one.scale[0] == 0:
            return None
        theta, v, without = self.theta, self.v, agent if self.agents > 1 else None
        if self.agents > 1:
            numbers, weight, excess = self.cells
            others = (numbers >= self.agents) & (numbers % self.agents != agent)
            if others.any():
                theta, v = estimate(weight[others], excess[others])
        ratio, nu = one.ratio(theta, without)
        Vs = one.sigma2[0] / c
        found = self.judged(key, one.d[0][agent], Vs, 1.0, 0, theta, v, nu, factor(ratio, nu, self.prior))
        return {**found, 'agents_compared': 1, 'calls_compared_share': 1, 'carrier': None}

    def detectable_share(self, p, n1, n0, tests):
        """Of a share that moves as usual."""
        both = (n1 > 0) & (n0 > 0)
        scale = (p * (1 - p)) ** 2
        w = 1 / (p * (1 - p) * (1 / n1[both] + 1 / n0[both]) + self.theta * scale)
        SE2 = 1 / w.sum()
        f = 2 * SE2**2 / ((np.sum(w**2) / w.sum() ** 2) ** 2 * scale**2 * self.v)
        return (stats.t.ppf(1 - 0.025 / tests, min(f, 1e5)) + 0.84) * np.sqrt(SE2)


def counted(calls, sides, agents, outcomes):
    """n, S and Q as [outcome, column, agent, 3], and calls and evaluated calls as [column, agent]."""
    place, row = {a: i for i, a in enumerate(agents)}, {o: i for i, o in enumerate(outcomes)}
    sums = np.zeros((len(outcomes), len(sides), len(agents), 3))
    taken, evaluated = np.zeros((2, len(sides), len(agents)))
    bounds = [[(a.timestamp(), b.timestamp()) for a, b in side] for side in sides]
    for call in calls:
        at, agent = call.at.timestamp(), place.get(call.agent)
        for column in (i for i, side in enumerate(bounds) if any(a <= at < b for a, b in side)):
            taken[column, agent] += 1
            evaluated[column, agent] += call.evaluated
            for key in call.shares:
                sums[row[key], column, agent, 1:] += 1
            for key, value in call.values.items():
                sums[row[key], column, agent] += (1, value, value * value)
    for key, i in row.items():
        if key[0] in SHARES:
            sums[i, :, :, 0] = taken if key[0] == 'driver' else evaluated
    return sums, taken, evaluated


def changes(calls, answer, zone, least=5):
    """What detect_changes should have answered for its two periods."""
    local = lambda text: instant(text).astimezone(zone)
    window, baseline = ((local(answer[one]['from']), local(answer[one]['to']) + MS) for one in ('window', 'baseline'))
    parts = [(baseline[0], min(baseline[1], window[0])), (max(baseline[0], window[1]), baseline[1])]
    parts = [part for part in parts if part[0] < part[1]]
    pairs = earlier_pairs(window, parts, min(call.at.timestamp() for call in calls))
    history = len(pairs) >= 2
    if not history:
        longest = max(parts, key=lambda part: part[1].timestamp() - part[0].timestamp())
        pairs = [([b], [a]) for span in (window, longest) for a, b in zip(thirds(span), thirds(span)[1:])]
    sides, columns = [], []
    for pair in [([window], parts), *pairs]:
        sides += [side for side in pair if side not in sides]
        columns.append(tuple(sides.index(side) for side in pair))
    inside = [c for c in calls if any(a <= c.at < b for side in sides for a, b in side)]
    agents = sorted({c.agent for c in inside})
    outcomes = sorted({key for c in inside for key in [*c.shares, *c.values]})
    sums, taken, evaluated = counted(inside, sides, agents, outcomes)
    of_kind = lambda share: {
        key: Pairs(sums[i], columns, share) for i, key in enumerate(outcomes) if (key[0] in SHARES) == share
    }
    families = [Family(of_kind(share), history) for share in (True, False)]
    tests = {}
    for family in families:
        for key, one in family.outcomes.items():
            found = family.test(key, least)
            if found is None:
                continue
            (now, before), i = columns[0], outcomes.index(key)
            (n1, S1, _), (n0, S0, _) = sums[i, now].sum(0), sums[i, before].sum(0)
            found['value'], found['baseline_value'] = S1 / n1 if n1 else 0, S0 / n0 if n0 else 0
            share = key[0] in SHARES
            found['occurrences'], found['baseline_occurrences'] = (S1, S0) if share else (n1, n0)
            found['carried_by'] = None if found['carrier'] is None else agents[found['carrier']][0]
            tests[(*key, None)] = found
    score = ('score', 'score')
    if score in outcomes:
        i, (now, before) = outcomes.index(score), columns[0]
        for agent, (name, agent_id) in enumerate(agents):
            found = families[1].test_agent(score, agent, least)
            if found is None:
                continue
            (n1, S1, _), (n0, S0, _) = sums[i, now, agent], sums[i, before, agent]
            found.update(value=S1 / n1, baseline_value=S0 / n0, occurrences=n1, baseline_occurrences=n0, carried_by=None)
            tests[('agent', name, agent_id)] = found
    if tests:
        for p, q in (('p_value', 'q_value'), ('team_p', 'team_q')):
            corrected = multipletests([one[p] for one in tests.values()], method='fdr_bh')[1]
            for one, value in zip(tests.values(), corrected):
                one[q] = value
    for one in tests.values():
        one['detectable'] = (stats.t.ppf(1 - 0.025 / len(tests), one['freedom']) + 0.84) * one['SE']
        one['within_agents'] = one['delta']
        one['from_who_worked'] = one['value'] - one['baseline_value'] - one['delta']
        one['earlier_pairs'] = len(pairs) if history else 0
        q = one['q_value']
        one['significance'] = (
            'high' if q < 0.01 and one['team_q'] < 0.05 else 'medium' if q < 0.05 else 'low' if q < 0.1 else None
        )
    now, before = columns[0]
    both = (taken[now] > 0) & (taken[before] > 0)
    whole = {
        'tested': len(tests),
        'earlier_pairs': len(pairs) if history else 0,
        'agents_compared': int(both.sum()),
        'window.calls': taken[now].sum(),
        'baseline.calls': taken[before].sum(),
    }
    if taken[now].sum():
        whole['calls_compared_share'] = taken[now][both].sum() / taken[now].sum()
    if tests:
        n = evaluated if evaluated.any() else taken
        if (*score, None) in tests:
            whole['detectable.score'] = tests[(*score, None)]['detectable']
        for p in (0.05, 0.2, 0.5):
            if ((n[now] > 0) & (n[before] > 0)).any():
                change = families[0].detectable_share(p, n[now], n[before], len(tests))
                if change < 1:
                    whole[f'detectable.{p:g}'] = change
    return whole, tests


# Intervals of get_agent_performance.


def spread_pool(calls, value, zone):
    """Squares within agents, their degrees of freedom and the design effect of days, over the last half year of some calls."""
    last = max((call.at for call in calls), default=None)
    calls = [call for call in calls if call.at >= last - timedelta(days=183)]
    names = sorted({call.agent[0] for call in calls})
    if len(names) > 60:
        some = {names[int((i + 0.5) * len(names) / 60)] for i in range(60)}
        calls = [call for call in calls if call.agent[0] in some]
    squares = freedom = scaled = days_part = neighbours = 0
    of_agent = {}
    for call in calls:
        day = (call.at.astimezone(zone).date() - datetime(1970, 1, 1).date()).days
        of_agent.setdefault(call.agent, {}).setdefault(day, []).append(value(call))
    for days in of_agent.values():
        x = np.array([v for day in days.values() for v in day if v is not None], float)
        n = len(x)
        if n < 2:
            continue
        own = np.sum((x - x.mean()) ** 2)
        r = {day: sum(v - x.mean() for v in some if v is not None) for day, some in days.items()}
        squares, freedom, scaled = squares + own, freedom + n - 1, scaled + own * n / (n - 1)
        D = len(days)
        if D > 1:
            days_part += sum(v * v for v in r.values()) * D / (D - 1)
        if D > 2:
            neighbours += 4 * sum(v * r.get(day + 1, 0) for day, v in r.items() if day % 2 == 0) * D / (D - 2)
    effect = (days_part + neighbours) / scaled if scaled > 0 else 1
    return squares, freedom, min(6, max(1, effect))


def mean_interval(x, pool, level=0.95):
    """Of scores from 1 to 5."""
    squares, freedom, D = pool
    n = len(x)
    nu0 = min(30, freedom + 10)
    pooled = (squares + 10 * 0.8**2) / (freedom + 10)
    s2 = (nu0 * pooled + np.sum((x - x.mean()) ** 2)) / (nu0 + n - 1)
    low, high = stats.t.interval(level, np.floor(nu0 + n - 1), x.mean(), np.sqrt(s2 * (1 + (D - 1) * (1 - 1 / n)) / n))
    return max(1, low), min(5, high)


def share_interval(hits, n, D):
    effective = n / (1 + (D - 1) * (1 - 1 / n))
    return proportion_confint(hits / n * effective, effective, method='wilson')


def performance(calls, answer, zone):
    """Averages and intervals of every agent by (name, id), and of all calls by None."""
    start, end = (instant(answer['window'][one]) for one in ('from', 'to'))
    known = [call for call in calls if call.at <= end]
    csat = lambda call: call.values.get(('score', 'predicted_csat'))
    score = lambda call: call.values.get(('score', 'score'))
    positive = lambda call: None if score(call) is None else float(score(call) >= 3.5)
    pools = {name: spread_pool(known, of, zone) for name, of in (('score', score), ('csat', csat), ('positive', positive))}
    groups = {}
    for call in known:
        if call.at >= start:
            groups.setdefault(call.agent, []).append(call)
            groups.setdefault(None, []).append(call)
    rows = {}
    for agent, own in groups.items():
        rows[agent] = row = {'calls': len(own)}
        scores, csats = (np.array([of(c) for c in own if of(c) is not None], float) for of in (score, csat))
        row['scored_calls'], row['csat_calls'] = len(scores), len(csats)
        if len(scores):
            row['average_score'] = scores.mean()
            row['score_interval_95'] = mean_interval(scores, pools['score'])
            hits = np.sum(scores >= 3.5)
            row['positive_share'] = hits / len(scores)
            row['positive_share_interval_95'] = share_interval(hits, len(scores), pools['positive'][2])
        if len(csats):
            row['average_predicted_csat'] = csats.mean()
            row['csat_interval_95'] = mean_interval(csats, pools['csat'])
    ranked = [a for a, row in rows.items() if a is not None and row['calls'] >= 5 and row['scored_calls']]
    level = 1 - 0.05 / max(1, len(ranked))
    scores = {a: np.array([score(c) for c in groups[a] if score(c) is not None], float) for a in ranked}
    limits = {a: mean_interval(scores[a], pools['score'], level) for a in ranked}
    for a, (low, high) in limits.items():
        best = 1 + sum(other_low > high for other_low, _ in limits.values())
        rows[a]['rank_interval_95'] = best, sum(other_high >= low for _, other_high in limits.values())
    return rows


# The comparison.


class Report:
    def __init__(self):
        self.compared, self.different = 0, []

    def figure(self, where, ours, theirs):
        """Equal but for rounding: to four decimals, and p and q to four digits."""
        self.compared += 1
        if isinstance(ours, (int, float, np.number)) and isinstance(theirs, (int, float)):
            digits = where.endswith(('p_value', 'q_value'))
            same = abs(ours - theirs) <= (5.01e-4 * abs(theirs) + 1e-300 if digits else 5.01e-5)
        else:
            same = ours == theirs
        if not same:
            self.different.append(f'{where}: {ours} here, {theirs} there')

    def figures(self, where, ours, theirs):
        for name, value in ours.items():
            if isinstance(value, tuple):
                pair = theirs.get(name) or [None, None]
                for i, end in enumerate(('low', 'high')):
                    self.figure(f'{where} {name} {end}', value[i], pair[i])
            else:
                self.figure(f'{where} {name}', value, theirs.get(name))


def flat(answer):
    """The figures of a whole answer of detect_changes that `changes` makes."""
    figures = {name: answer.get(name) for name in ('tested', 'earlier_pairs', 'agents_compared', 'calls_compared_share')}
    figures['window.calls'], figures['baseline.calls'] = answer['window']['calls'], answer['baseline']['calls']
    figures['detectable.score'] = answer['detectable'].get('score')
    figures.update({f"detectable.{one['share']:g}": one['change'] for one in answer['detectable']['shares']})
    return figures


FIGURES = (
    *('value', 'baseline_value', 'delta', 'within_agents', 'from_who_worked', 'agents_compared', 'calls_compared_share'),
    *('usual_move', 'detectable', 'earlier_pairs', 'occurrences', 'baseline_occurrences', 'p_value', 'q_value'),
    *('significance', 'carried_by'),
)


def compare_changes(report, where, calls, answer, zone):
    whole, tests = changes(calls, answer, zone)
    theirs = flat(answer)
    report.figures(where, {name: whole.get(name) for name in theirs}, theirs)
    found = [one for change in answer['changes'] for one in (change, *change.get('also', []))]
    listed = {(one['category'], one['key'], one.get('agent_id')): one for one in found}
    expected = {key for key, one in tests.items() if one['significance']}
    report.figure(f'{where} what stands out', sorted(map(str, expected)), sorted(map(str, listed)))
    for key in expected & set(listed):
        ours, entry = tests[key], listed[key]
        whole_entry = 'p_value' in entry
        shown = [name for name in FIGURES if name in entry or (whole_entry and name == 'carried_by')]
        report.figures(f'{where} {key}', {name: ours[name] for name in shown}, entry)


def compare_performance(report, where, calls, answer, zone):
    rows = performance(calls, answer, zone)
    report.figures(f'{where} all', rows.get(None, {}), answer['scope_average'])
    for one in answer['agents']:
        report.figures(f"{where} {one['agent_name']}", rows.get((one['agent_name'], one['agent_id']), {}), one)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('calls', help='what `earshot export --only calls` wrote')
    parser.add_argument('--url', default='http://127.0.0.1:8000')
    parser.add_argument('--project', required=True)
    parser.add_argument('--period', action='append', required=True, help='PERIOD, or PERIOD/BASELINE; may be repeated')
    options = parser.parse_args()
    headers = {'Authorization': f"Bearer {os.environ['EARSHOT_TOKEN']}", 'X-Project-Id': options.project}

    def ask(path, **arguments):
        query = urllib.parse.urlencode({name: value for name, value in arguments.items() if value is not None})
        request = urllib.request.Request(f'{options.url}/api/v1/{path}?{query}', headers=headers)
        try:
            return json.load(urllib.request.urlopen(request))
        except urllib.error.HTTPError as problem:
            sys.exit(f'{path} with {arguments}: {problem.read().decode()}')

    now = datetime.now(timezone.utc)
    with open(options.calls, encoding='utf-8') as lines:
        calls = [call for call in map(Call, map(json.loads, lines)) if call.at <= now]
    report = Report()
    for period in options.period:
        period, _, baseline = period.partition('/')
        answer = ask('changes', period=period, baseline=baseline or None, limit=200)
        zone = ZoneInfo(answer['window']['time_zone'])
        compare_changes(report, f'changes of {period}', calls, answer, zone)
        window = answer['window']
        answer = ask('agents/performance', date_from=window['from'], date_to=window['to'], limit=200)
        compare_performance(report, f'agents in {period}', calls, answer, zone)
    for one in report.different:
        print(one)
    print(f'{report.compared} figures compared, {len(report.different)} differ')
    sys.exit(1 if report.different else 0)


if __name__ == '__main__':
    main()
