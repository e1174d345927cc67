"""Excessive gap technique (Nesterov 2005; Hoda, Gilpin, Peña & Sandholm 2010), O(1/ε) steps.

Plans x, y and smoothings μ1, μ2 are kept in the excessive gap

    max over x' of [u1(x', y) - μ1 d(x')] + max over y' of [u2(x, y') - μ2 d(y')] <= 0,

so that the gap of x, y is at most μ1 max d + μ2 max d. A step by τ reduces one of the μ
to (1 - τ) μ. Heuristics of Gilpin, Hoda, Peña & Sandholm 2007, each a parameter:
`aggressive` makes τ as large as the excessive gap allows instead of 2 / (k + 3), and
halves it when it was too large; `balance` reduces both μ from time to time, as far as the gap
allows. Stepping with the larger μ, also part of `balance`, and letting τ grow again after a step
that kept the gap, are from Kroer, Waugh, Kılınç-Karzan & Sandholm 2018.

Differs from the papers: the start is not derived from a norm of the payoffs. μ1 = μ2 is
doubled until the excessive gap holds; it is checked at every step, with any heuristic.
As payoffs are linear, gradients against averages are averages of gradients: a step needs
three of them."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.forms.form import Form, uniform
from regretless.kernels.prox import blend
from regretless.solvers._first_order import FirstOrder
from regretless.solvers._solver import LEAST_PAID

DOUBLINGS = 60  # of the first μ; more only if nobody has a choice, where the gap is rounding
LARGEST_STEP = 0.5
GROWTH = 1.05  # of τ after a step that kept the gap
SHRINK = 0.9  # of μ per attempt in balancing
BALANCE_EVERY = 10  # iterations
SMALLEST_STEP = 1e-9  # below this, rounding dominates: the iteration changes nothing
ROUNDING = 1e-14  # times the first μ: smaller ones are lost in rounding
MU, STEP, LEAST = slice(0, 2), 2, 3  # places in `numbers`: μ of both, the last τ, the least μ


class Method(FirstOrder):
    """Smooth both sides, then reduce the smoothing."""

    name = "egt"

    def __init__(
        self,
        form: Form,
        *,
        prox: str = "euclidean",
        weights: str = "hoda",
        aggressive: bool = True,
        balance: bool = True,
    ) -> None:
        """`prox`: euclidean or entropy; `weights`: hoda or kroer."""
        super().__init__(form, prox=prox, weights=weights)
        self.aggressive, self.balance = aggressive, balance
        self.earned = self.empty()  # what every sequence earns against the other's plan
        self.answer = uniform(form)  # smoothed best responses to that, as behaviours
        # Plans and gradients of one attempt: kept here, so that a step allocates nothing.
        self._trial, self._trial_earns = self.empty(), self.empty()
        self._behaviour, self._pulled_earns = self.empty(), self.empty()
        self._smoothed = [0.0, 0.0]  # values of the answers

    def vectors(self) -> tuple[str, ...]:
        return ("average", "earned", "answer", "numbers")

    @property
    def mu(self) -> Floats:
        """Smoothing of the players."""
        return self.numbers[MU]

    def details(self) -> dict[str, float]:
        return {"mu_1": float(self.mu[0]), "mu_2": float(self.mu[1])}

    def _start(self) -> None:
        """Smallest μ, up to doubling, for which the first plans have the excessive gap."""
        gradient = self._pulled_earns
        self.gradients(self.average, gradient)  # of the uniform plans
        self.numbers[STEP] = LARGEST_STEP
        self.mu[:] = max(float(gradient.max()), -float(gradient.min()), LEAST_PAID)
        for _ in range(DOUBLINGS):
            if self._started(gradient):
                break
            self.mu[:] *= 2.0
        self.numbers[LEAST] = ROUNDING * self.mu[0]

    def _started(self, gradient: Floats) -> bool:
        dilated, plan = self.dilated, self.average
        dilated.respond(1, self.mu[1], gradient, self._behaviour, plan)
        self.form.gradient(0, plan, self.earned)
        dilated.respond(0, self.mu[0], self.earned, self._behaviour, plan)
        self.form.gradient(1, plan, self.earned)
        return self._is_excessive(self.earned, self.mu[0], self.mu[1])

    def _is_excessive(self, earned: Floats, mu_1: float, mu_2: float) -> bool:
        """Whether the gap holds; `answer` becomes the smoothed best responses."""
        for player, mu in ((0, mu_1), (1, mu_2)):
            self._smoothed[player] = self.dilated.respond(player, mu, earned, self.answer)
        return sum(self._smoothed) <= 0.0

    def iterate(self) -> None:
        if self.iteration == 0:
            self._start()
        i = int(self.mu[1] > self.mu[0]) if self.balance else self.iteration % 2
        if self.mu[i] < self.numbers[LEAST]:
            return  # solved, as far as rounding allows
        # Behaviour of the smoothed best response, where its own gradient would not be needed.
        self._pulled_earns[self.own(i)] = self.answer[self.own(i)]
        self.dilated.plan(i, self.answer, self._trial)
        self.form.gradient(1 - i, self._trial, self._pulled_earns)
        tau = 2.0 / (self.iteration + 3)
        if self.aggressive:
            tau = min(self.numbers[STEP] * GROWTH, LARGEST_STEP)
        while not self._try(i, tau):
            tau /= 2.0
            if tau < SMALLEST_STEP:
                self._is_excessive(self.earned, self.mu[0], self.mu[1])
                return
        self.numbers[STEP] = tau
        self.mu[i] *= 1.0 - tau
        blend(self.average, self._trial, tau, self.average)
        self.earned, self._pulled_earns = self._pulled_earns, self.earned
        if self.balance and self.iteration % BALANCE_EVERY == BALANCE_EVERY - 1:
            self._balance()

    def _try(self, i: int, tau: float) -> bool:
        """One step by tau; on success the new gradients are in `_pulled_earns`."""
        j, mine, theirs = 1 - i, self.own(i), self.own(1 - i)
        dilated, behaviour, trial, earns = (
            self.dilated,
            self._behaviour,
            self._trial,
            self._trial_earns,
        )
        # y-breve answers x-hat, which lies between x and its own smoothed best response.
        blend(self.earned[theirs], self._pulled_earns[theirs], tau, earns[theirs])
        dilated.respond(j, self.mu[j], earns, behaviour, trial)
        self.form.gradient(i, trial, earns)
        # x-tilde: a prox step from the smoothed best response.
        behaviour[mine] = self._pulled_earns[mine]
        dilated.step(i, self.mu[i] * (1 - tau) / tau, earns, behaviour, behaviour, trial)
        self.form.gradient(j, trial, earns)
        blend(self.earned, earns, tau, earns)
        smoothing = self.mu.copy()
        smoothing[i] *= 1 - tau
        if not self._is_excessive(earns, smoothing[0], smoothing[1]):
            return False
        self._pulled_earns, self._trial_earns = earns, self._pulled_earns
        return True

    def _balance(self) -> None:
        """Reduce the larger μ as far as the gap allows; the other answer stays."""
        while True:
            i = int(self.mu[1] > self.mu[0])
            smaller = SHRINK * self.mu[i]
            if smaller < self.numbers[LEAST]:
                return
            self._smoothed[i] = self.dilated.respond(i, smaller, self.earned, self.answer)
            if sum(self._smoothed) > 0.0:
                self.dilated.respond(i, self.mu[i], self.earned, self.answer)
                return
            self.mu[i] = smaller
