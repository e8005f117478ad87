/// A page with the ticks of its axes: everything that depends on the data and on the available room, but not on
/// positions.
struct PlotContent {
    let page: PlotPage
    let columns: PlotTicks
    let rateTicks: PlotTicks
    let timeTicks: PlotTicks

    init(of page: PlotPage, layout: PlotLayout) {
        self.page = page
        columns = page.across.ticks(count: layout.columns(in: layout.timePanel))
        timeTicks = page.upwards.ticks(count: layout.rows(in: layout.timePanel))
        rateTicks = .round(along: page.rateScale, count: layout.rows(in: layout.scalePanel))
    }

    /// The number of letters in the longest label of the two vertical axes.
    var labelLength: Int {
        (rateTicks.ticks + timeTicks.ticks).map(\.label.count).max() ?? 0
    }
}

extension PlotPage.TimeAxis {
    fileprivate func ticks(count: Int) -> PlotTicks {
        isTimed
            ? .seconds(from: scale.lower, to: scale.upper, count: count)
            : .linear(from: scale.lower, to: scale.upper, count: count)
    }

    /// The axis's name with the unit of its labels.
    func title(with ticks: PlotTicks) -> String {
        guard isTimed else { return name + " (share of the clip)" }
        switch ticks.ticks.last?.label.split(separator: ":").count ?? 1 {
        case 1: return name + " (s)"
        case 2: return name + " (min:s)"
        default: return name + " (h:min:s)"
        }
    }
}
